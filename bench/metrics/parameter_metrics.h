#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "bench/cell/cell_context.h"
#include "bench/metrics/cramer_rao.h"
#include "bench/metrics/identified_model.h"
#include "bench/metrics/metric_value.h"
#include "bench/metrics/true_unknowns.h"
#include "estimators/interface/estimate.h"
#include "robots/dynamics/parameters/base_parameters.h"

namespace idbench {

/// Metrics of an estimate's parameters, independent of the data.
///
/// Holds its own scratch: use one object per thread. `context` must outlive it.
class ParameterMetrics {
 public:
  explicit ParameterMetrics(const CellContext& context);

  /// Selects a trial; `data` must outlive the calls below.
  void SetTrial(const TrialData& data);

  /// Evaluates one metric.
  /// @param quantity      one of AllMetrics() without an experiment.
  /// @param checkpoint_s  recorded time of the estimate [s]; infinite for the end.
  MetricValue Evaluate(const std::string& quantity, const Estimate& estimate, double checkpoint_s);

 private:
  MetricValue BaseParameterError(const Estimate& estimate);
  MetricValue ErrorBound(double checkpoint_s);
  /// `coverage95` or `nees`.
  MetricValue Credibility(const std::string& quantity, const Estimate& estimate,
                          double checkpoint_s) const;
  MetricValue OfSingleLinks(const std::string& quantity, const Estimate& estimate,
                            double checkpoint_s);
  MetricValue LinkMassError(const Estimate& estimate) const;
  MetricValue LinkMasses(const Estimate& estimate) const;
  MetricValue LinkMassBound(double checkpoint_s);
  MetricValue UnknownsError(const Estimate& estimate) const;
  MetricValue UnknownsBound(double checkpoint_s);
  /// Returns |x| of the truth; for an unknown that is 0, that of the largest of its kind.
  Eigen::VectorXd TrueMagnitudes() const;
  MetricValue ConsistentLinks(const Estimate& estimate) const;
  MetricValue PositiveMassMatrices(const Estimate& estimate);
  MetricValue NegativeMoments(const Estimate& estimate) const;
  /// Returns the metric for the unknowns of that kind; for all if `kind` is "".
  MetricValue OutOfBounds(const Estimate& estimate, const std::string& kind) const;
  MetricValue Saturated(const Estimate& estimate) const;
  /// Returns true if some unknowns predict the same as the truth, in its part that is linear in π.
  bool ModelHoldsTruth();
  /// Returns `p`, of an IdentifiedModel, with zeros where the problem has no unknowns.
  Eigen::VectorXd Asked(const Eigen::VectorXd& p) const;
  /// Returns Φ·p on the fixed states: the prediction of the problem's equations, states × rows.
  Eigen::MatrixXd Predict(const Eigen::VectorXd& p);

  const CellContext& context_;
  const TrialData* data_ = nullptr;
  const Truth* truth_of_ = nullptr;  ///< Truth to which `true_asked_` and `truth_` belong.
  ParameterLayout layout_;
  std::vector<int> bodies_;
  Dynamics dynamics_;
  Dynamics::Scratch scratch_;
  IdentifiedModel model_;
  CramerRao bound_;
  TrueUnknowns unknowns_;
  FixedStates states_;                ///< States on which parameter errors are weighed.
  Eigen::VectorXd true_asked_;        ///< Asked() of the true robot.
  Eigen::MatrixXd truth_;             ///< Φ·p of the truth.
  Eigen::RowVectorXd inverse_scale_;  ///< 1 / RMS of the columns of `truth_`.
};

}  // namespace idbench
