#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "bench/cell_context.h"
#include "bench/cramer_rao.h"
#include "bench/identified_model.h"
#include "bench/metric_value.h"
#include "bench/true_unknowns.h"
#include "estimators/estimate.h"
#include "robots/dynamics/base_parameters.h"

namespace idbench {

/// Metrics of what an estimate says of the parameters, whatever the data.
///
/// Has its own scratch: one per thread. `context` must outlive it.
class ParameterMetrics {
 public:
  explicit ParameterMetrics(const CellContext& context);

  /// `data` must outlive what is asked for next.
  void SetTrial(const TrialData& data);

  /// @param quantity      one of AllMetrics() that is not of an experiment.
  /// @param checkpoint_s  recorded time by which it was estimated; infinite for the end.
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
  /// |x| of the truth; of an unknown that is 0, that of the largest of its kind.
  Eigen::VectorXd TrueMagnitudes() const;
  MetricValue ConsistentLinks(const Estimate& estimate) const;
  MetricValue PositiveMassMatrices(const Estimate& estimate);
  MetricValue NegativeMoments(const Estimate& estimate) const;
  /// Of unknowns of that kind; of all for "".
  MetricValue OutOfBounds(const Estimate& estimate, const std::string& kind) const;
  MetricValue Saturated(const Estimate& estimate) const;
  /// True if unknowns exist that predict as the truth does, of what is linear in π.
  bool ModelHoldsTruth();
  /// `p`, of an IdentifiedModel, with zeros where the problem does not ask.
  Eigen::VectorXd Asked(const Eigen::VectorXd& p) const;
  /// Φ·p on the fixed states: what the problem's equations predict, states × rows.
  Eigen::MatrixXd Predict(const Eigen::VectorXd& p);

  const CellContext& context_;
  const TrialData* data_ = nullptr;
  const Truth* truth_of_ = nullptr;  ///< Whose values `true_asked_` and `truth_` are.
  ParameterLayout layout_;
  std::vector<int> bodies_;
  Dynamics dynamics_;
  Dynamics::Scratch scratch_;
  IdentifiedModel model_;
  CramerRao bound_;
  TrueUnknowns unknowns_;
  FixedStates states_;                ///< On which parameter errors are weighed.
  Eigen::VectorXd true_asked_;        ///< Asked() of the true robot.
  Eigen::MatrixXd truth_;             ///< Φ·p of the truth.
  Eigen::RowVectorXd inverse_scale_;  ///< 1 / RMS of its columns.
};

}  // namespace idbench
