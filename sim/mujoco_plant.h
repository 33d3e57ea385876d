#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "robots/mjspec.h"
#include "robots/plant/plant.h"
#include "robots/plant/torque_law.h"
#include "sim/current_model.h"
#include "sim/true_robot.h"

namespace idbench {

/// A true robot, moved by MuJoCo.
///
/// The commanded torque is the torque on the joint, `joint_torque` of a dataset: it moves the links
/// and overcomes joint friction and rotor inertia, which are the true robot's own. A sample is the
/// state *before* a step's integration, with the acceleration that was computed there and the
/// torque that acted there; to rounding they satisfy
///   τ = M(q)·q̈ + c(q, q̇) + g(q) + ia·q̈ + τ_f(q̇), and what a mismatch adds.
/// The state after a step does not belong to that step's acceleration (4.6 % torque error on a
/// two-link arm at 0.25 ms). The integrators are semi-implicit, q̇ ← q̇ + h·q̈ and then q ← q + h·q̇:
/// the recorded velocity is the slope of the recorded positions half a step *earlier*.
///
/// Payloads are those at the beginning of the step, for all of it. Position and velocity do not
/// jump when one comes or goes.
///
/// One per thread. `robot` must outlive it. A joint that leaves its range has hit its stop, which
/// has no place in that equation: the experiment has failed.
class MujocoPlant : public Plant {
 public:
  explicit MujocoPlant(const TrueRobot& robot);

  int dofs() const override { return robot_.dofs(); }
  double step_s() const override { return robot_.options().timestep_s; }
  /// @throws std::invalid_argument for vectors of another size.
  void Reset(const Eigen::VectorXd& q, const Eigen::VectorXd& qd) override;
  /// The true state.
  void Feedback(JointState& state) override;
  /// @throws PlantError, naming time and joint, if the state, the acceleration or the torque is not
  ///         finite or beyond 1e8, a joint is beyond its range, MuJoCo warns, or the experiment
  ///         takes more than `max_steps`.
  void Step(const Eigen::VectorXd& tau_command, PlantSample& sample) override;
  /// A step under a torque that is known for all times. With the integrator RK4 torque and friction
  /// are those of each stage of the classical method, so that a smooth law is followed to the
  /// fourth order of the step; bristles and payloads stay those of its beginning. All other
  /// integrators hold the torque of its beginning. @throws PlantError as above.
  void Step(const TorqueLaw& law, PlantSample& sample);

 private:
  /// The acceleration of the state that is set, under `tau` less what the joints take.
  void Accelerate(const Eigen::VectorXd& tau, const JointState& state);
  /// Fills in the sample of this instant.
  void Begin(const Eigen::VectorXd& tau, PlantSample& sample);
  void End(const PlantSample& sample);
  /// Runge-Kutta from the instant t, whose acceleration is there, to the next.
  void IntegrateLaw(const TorqueLaw& law, double t);
  /// q̇ ← q̇ + h·q̈, then q ← q + h·q̇: bit for bit what mj_step() does after mj_forward() here.
  void Integrate();
  /// What joint i takes besides moving the links and its rotor.
  double Losses(int i, const JointState& state) const;
  /// Brings the bristles to the velocity after a step.
  void AdvanceBristles();
  void CheckBefore(const Eigen::VectorXd& tau_command, const PlantSample& sample) const;
  void CheckAfter(const PlantSample& sample) const;

  const TrueRobot& robot_;
  CurrentModel model_;
  DataPtr data_;
  bool semi_implicit_;        ///< Integrate() does.
  Eigen::VectorXd bristles_;  ///< z of the LuGre friction, n [rad or m]; 0 at the beginning.
  Eigen::VectorXd law_tau_;   ///< n, of the law at an instant.
  JointState stage_;          ///< Of the Runge-Kutta method.
  std::int64_t steps_ = 0;    ///< Since Reset().
};

}  // namespace idbench
