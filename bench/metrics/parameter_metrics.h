#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "bench/metrics/cramer_rao.h"
#include "bench/metrics/identified_model.h"
#include "bench/metrics/metric_value.h"
#include "bench/metrics/true_unknowns.h"
#include "bench/trial/trial_data.h"
#include "estimators/interface/estimate.h"
#include "robots/dynamics/parameters/base_parameters.h"

namespace idbench {

/// Metrics of an estimate's parameters, independent of the data.
///
/// Holds its own scratch: use one object per thread.
class ParameterMetrics {
 public:
  /// @param scenario, problem, asked  of the cell: its considered parameters as indices into π. All
  ///         must outlive this.
  /// @param sensors  resolved; nullptr for recordings.
  /// @param noise    see CramerRao.
  ParameterMetrics(const Scenario& scenario, const Problem& problem, const std::vector<int>& asked,
                   const SensorOptions* sensors,
                   const std::function<ChannelNoise(std::string_view)>& noise);

  /// Selects a trial; `data` must outlive the calls below.
  void SetTrial(const TrialData& data);

  /// The metrics, as MetricTable() defines them.
  /// @param checkpoint_s  recorded time of the estimate [s]; infinite for the end.
  MetricValue BaseParameterError(const Estimate& estimate);
  MetricValue BaseParameterBound(double checkpoint_s);
  MetricValue PredictionBound(const std::string& experiment, double checkpoint_s);
  MetricValue LeastPredictionBound(const std::string& experiment, double checkpoint_s);
  MetricValue CrlbRatio(const Estimate& estimate, double checkpoint_s);
  MetricValue VanTreesRatio(const Estimate& estimate, double checkpoint_s);
  MetricValue UnknownsError(const Estimate& estimate) const;
  MetricValue UnknownsSigma(const Estimate& estimate) const;
  MetricValue UnknownsBound(double checkpoint_s);
  /// Of a planar Lagrangian.
  MetricValue LargestGravityError(const Estimate& estimate) const;
  MetricValue Coverage(const Estimate& estimate, double checkpoint_s);
  MetricValue Nees(const Estimate& estimate, double checkpoint_s);
  MetricValue PositiveMassMatrices(const Estimate& estimate);
  MetricValue OutOfBounds(const Estimate& estimate) const;
  MetricValue Saturated(const Estimate& estimate) const;
  /// Of single links: they fail if the unknowns say nothing of these.
  MetricValue LinkMassError(const Estimate& estimate) const;
  MetricValue LinkDivergence(const Estimate& estimate) const;
  MetricValue LinkMassBound(double checkpoint_s);
  MetricValue LinkMasses(const Estimate& estimate) const;
  MetricValue ConsistentLinks(const Estimate& estimate) const;
  MetricValue PseudoInertiaMargins(const Estimate& estimate) const;
  MetricValue NegativeMoments(const Estimate& estimate) const;
  MetricValue MassesOutOfBounds(const Estimate& estimate) const;

 private:
  /// Errors along the directions that the data taught.
  struct Learned {
    std::vector<double> in_sigma = {};   ///< In σ of the posterior.
    std::optional<double> squared = {};  ///< e'P⁻¹e; nothing if P is not positive definite.
    std::string failure;  ///< Why there are none: not a failure, see MetricValue, unless `fails`.
    bool fails = false;
  };
  Learned LearnedErrors(const Estimate& estimate, double checkpoint_s);
  /// True states of an experiment, and its configuration.
  std::pair<StateSamples, int> CleanStates(const std::string& experiment) const;
  /// Along CramerRao::TaughtBy(), where there is a bound.
  Learned TaughtErrors(const Estimate& estimate, const CramerRao::Taught& taught,
                       double checkpoint_s) const;
  /// Where there is none: along what the method itself learned, by its P over the problem's P₀; all
  /// unknowns one by one where the problem has no P₀.
  Learned LearnedByItself(const Estimate& estimate, double checkpoint_s) const;
  /// Returns ‖Φπ‖ of the truth on the fixed states, rows weighted.
  double TruthNorm() const;
  /// Returns what stands in place of a metric of single links, if the unknowns say nothing of these
  /// or an estimate does not; nothing if they say it.
  std::optional<MetricValue> WithoutSingleLinks(const Estimate* estimate = nullptr) const;
  /// Returns |x| of the truth; for an unknown that is 0, that of the largest of its kind.
  Eigen::VectorXd TrueMagnitudes() const;
  /// Returns the number of unknowns of that kind that are out of bounds; of all if `kind` is "".
  int CountOutOfBounds(const Estimate& estimate, const std::string& kind) const;
  /// Returns true if some unknowns predict the same as the truth, in its part that is linear in π.
  bool ModelHoldsTruth();
  /// Returns `p`, of an IdentifiedModel, with zeros where the problem has no unknowns.
  Eigen::VectorXd Asked(const Eigen::VectorXd& p) const;
  /// Returns Φ·p on the fixed states: the prediction of the problem's equations in each
  /// configuration that has data for identification, states × rows.
  Eigen::MatrixXd Predict(const Eigen::VectorXd& p);

  const Scenario& scenario_;
  const Problem& problem_;
  const std::vector<int>& asked_;
  const TrialData* data_ = nullptr;
  mutable std::optional<bool> hides_bodies_;  ///< The structure does; nothing before it is asked.
  const Truth* truth_of_ = nullptr;           ///< Truth to which `true_asked_` and `truth_` belong.
  ParameterLayout layout_;
  std::vector<int> bodies_;
  IdentifiedModel model_;
  CramerRao bound_;
  TrueUnknowns unknowns_;
  FixedStates states_;                ///< States on which parameter errors are weighed.
  Eigen::VectorXd true_asked_;        ///< Asked() of the true robot.
  Eigen::MatrixXd truth_;             ///< Φ·p of the truth.
  Eigen::RowVectorXd inverse_scale_;  ///< 1 / RMS of the columns of `truth_`.
};

}  // namespace idbench
