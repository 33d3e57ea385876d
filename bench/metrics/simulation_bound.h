#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "bench/metrics/metric_value.h"
#include "bench/trial/trial_data.h"
#include "robots/recording/data_window.h"
#include "sim/sensors/sensors.h"

namespace idbench {

/// Cramér-Rao prediction of the mean of `simulation_sse_…`: to first order, the least value for an
/// unbiased estimator of a planar Lagrangian's β,
///
///   Σ_k tr(S_k·C·S_kᵀ), S_k = ∂x(t_k)/∂β of the replay, C = (J⁻¹)_ββ.
///
/// J is the Fisher information of the identification experiments about β and the initial state of
/// the unactuated joints. Their motion follows from β and that state (zero dynamics, with exact
/// positions of the other joints), and joint_position measures it with its true σ at every sample;
/// the motors' torques follow from both, and actuator_torque measures them with its true σ.
///
/// The same for all estimators. Holds its own scratch: use one object per thread. `context`
/// must outlive it.
class SimulationBound {
 public:
  /// @param problem  of the cell.
  /// @param sensors  resolved; nullptr for recordings, which have no bound.
  SimulationBound(const Problem& problem, const SensorOptions* sensors);

  /// Selects a trial; `data` must outlive the calls below.
  void SetTrial(const TrialData& data);

  /// The bound of the sum over positions, or over positions and velocities.
  /// @param experiment  one with the control torque_replay.
  MetricValue Angles(const std::string& experiment);
  MetricValue States(const std::string& experiment);

 private:
  /// Σ_k ∂x/∂β·C·∂xᵀ/∂β of one experiment, summed over positions and over velocities.
  struct Spread {
    double angles = 0.0;
    double rates = 0.0;
  };

  MetricValue Of(const std::string& experiment, double (*sum)(const Spread&));
  void FindCovariance();
  /// Adds the information of one identification experiment about β, with an unknown initial state.
  /// @param span  of the samples that estimators get.
  void AddInformation(const Signals& clean, const TimeSpan& span, Eigen::MatrixXd& J) const;
  Spread SpreadOf(const Signals& clean) const;

  std::string refusal_;               ///< Why there is no bound in this cell.
  std::vector<int> free_;             ///< Joints without a motor.
  Eigen::MatrixXd motors_;            ///< u = motors_·τ.
  Eigen::VectorXd position_weights_;  ///< 1/σ² of the joints in `free_`.
  Eigen::VectorXd motor_weights_;     ///< 1/σ² of the motors.
  const TrialData* data_ = nullptr;
  std::vector<const Signals*> clean_;  ///< Signals to which `C_` and `spreads_` belong.
  Eigen::VectorXd beta_;
  std::string failure_;  ///< Why there is no C.
  Eigen::MatrixXd C_;
  std::vector<std::optional<Spread>> spreads_;  ///< Per experiment, computed on first use.
};

}  // namespace idbench
