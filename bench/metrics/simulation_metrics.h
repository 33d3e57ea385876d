#pragma once

#include <Eigen/Core>
#include <map>
#include <string>

#include "bench/metrics/identified_model.h"
#include "bench/metrics/metric_value.h"
#include "bench/trial/trial_data.h"
#include "estimators/interface/estimate.h"

namespace idbench {

/// How far an identified model deviates from the true robot under the same open-loop torque:
///
///   Σ_k ‖x̂(t_k) − x(t_k)‖², x = (q, q̇), x̂(t_0) = x(t_0), k over the samples of the experiment.
///
/// RK4 integrates x̂ from the estimate's equations of motion in steps of at most 0.01 s, with the
/// torque as a function of time. A replay fails, and the metric with it, if an entry of x̂ is not
/// finite or exceeds 1,000, or if a mass matrix on the way is not positive definite.
///
/// Holds its own scratch: use one object per thread. Source: Dolinský &
/// Čelikovský, IEEE TCST 26(5), 2018, tables III and V.
class SimulationMetrics {
 public:
  /// @param scenario, problem  of the cell; must outlive this.
  SimulationMetrics(const Scenario& scenario, const Problem& problem);

  /// Selects a trial; `data` must outlive the calls below.
  void SetTrial(const TrialData& data);
  /// Selects an estimate, which must outlive the calls below.
  void SetEstimate(const Estimate& estimate);

  /// Sums over positions, velocities, or both.
  /// @param experiment  one with the control torque_replay.
  MetricValue Angles(const std::string& experiment);
  MetricValue Rates(const std::string& experiment);
  MetricValue States(const std::string& experiment);

 private:
  /// Torques of an experiment at the instants of the Runge-Kutta stages.
  struct Law {
    int steps_per_sample = 1;
    double step_s = 0.0;
    Eigen::MatrixXd tau;  ///< n × (2·steps + 1): at the beginning and in the middle of each step.
  };
  /// Errors of one replay, per joint.
  struct Errors {
    std::string failure;
    Eigen::VectorXd angles;  ///< Σ (q̂ − q)² [rad² or m²]
    Eigen::VectorXd rates;   ///< Σ (q̂˙ − q̇)² [rad²/s² or m²/s²]
  };

  /// The errors of the estimate, computed at their first use.
  const Errors& Of(const std::string& experiment);
  const Law& LawOf(const std::string& experiment, const Signals& clean);
  Errors Replay(const std::string& experiment);
  /// Integrates one step from the state (q, q̇) in `x_`. Returns false as
  /// IdentifiedModel::ForwardDynamics() does.
  bool Step(const Eigen::VectorXd& p, const Law& law, Eigen::Index step);
  /// Computes ẋ of the state `x` under `tau`.
  bool Slope(const Eigen::VectorXd& p, const Eigen::Ref<const Eigen::VectorXd>& x,
             const Eigen::Ref<const Eigen::VectorXd>& tau, Eigen::VectorXd& slope);

  const Scenario& scenario_;
  const RobotModel& robot_;
  IdentifiedModel model_;
  const TrialData* data_ = nullptr;
  const Estimate* estimate_ = nullptr;
  std::map<std::string, Law> laws_;       ///< By experiment; the same for all trials.
  std::map<std::string, Errors> errors_;  ///< Of the estimate.
  Eigen::VectorXd x_, stage_, k1_, k2_, k3_, k4_;
};

}  // namespace idbench
