#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "bench/cell_context.h"
#include "bench/metric_value.h"

namespace idbench {

/// The Cramér-Rao prediction of the mean of `simulation_sse_…`: to first order, the least that an
/// unbiased estimator of a planar Lagrangian's β can have,
///
///   Σ_k tr(S_k·C·S_kᵀ), S_k = ∂x(t_k)/∂β of the replay, C = (J⁻¹)_ββ,
///
/// J the Fisher information about β and the initial state of the unactuated joints, of the
/// identification experiments: their motion follows from β and that state (zero dynamics, the other
/// joints' positions being exact), and is seen by joint_position with its true σ at every sample;
/// the motors' torques follow from both, and are seen by actuator_torque with its true σ.
///
/// The same for all estimators. Has its own scratch: one per thread. `context` must outlive it.
class SimulationBound {
 public:
  explicit SimulationBound(const CellContext& context);

  /// `data` must outlive what is asked for next.
  void SetTrial(const TrialData& data);

  /// @param quantity    `simulation_sse_angles_bound` or `simulation_sse_states_bound`.
  /// @param experiment  whose control is torque_replay.
  MetricValue Evaluate(const std::string& quantity, const std::string& experiment);

 private:
  /// Σ_k ∂x/∂β·C·∂xᵀ/∂β of one experiment, summed over positions and over velocities.
  struct Spread {
    double angles = 0.0;
    double rates = 0.0;
  };

  void FindCovariance();
  /// Adds what one identification experiment tells of β, the initial state being unknown.
  void AddInformation(const Signals& clean, Eigen::MatrixXd& J) const;
  Spread SpreadOf(const Signals& clean) const;

  std::string refusal_;               ///< Why there is no bound in this cell.
  std::vector<int> free_;             ///< Joints without a motor.
  Eigen::MatrixXd motors_;            ///< u = motors_·τ
  Eigen::VectorXd position_weights_;  ///< 1/σ² of the joints `free_`.
  Eigen::VectorXd motor_weights_;     ///< 1/σ² of the motors.
  const TrialData* data_ = nullptr;
  std::vector<const Signals*> clean_;  ///< What `C_` and `spreads_` belong to.
  Eigen::VectorXd beta_;
  std::string failure_;  ///< Why there is no C.
  Eigen::MatrixXd C_;
  std::vector<std::optional<Spread>> spreads_;  ///< Per experiment, once asked for.
};

}  // namespace idbench
