#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cstdint>
#include <optional>

#include "robots/mjspec.h"
#include "robots/plant/torque_law.h"
#include "sim/simulated_robot.h"
#include "sim/truth/current_model.h"
#include "sim/truth/implicit_friction.h"
#include "sim/truth/outside_forces.h"
#include "sim/truth/presliding.h"
#include "sim/truth/scene.h"

namespace idbench {

/// True robot, moved by MuJoCo.
///
/// The commanded torque is the torque on the joint, `joint_torque` of a dataset: it moves the links
/// and overcomes joint friction and rotor inertia, which belong to the true robot. A sample is the
/// state *before* a step's integration, with the acceleration computed there and the torque that
/// acted there: the commanded one, in the steps that the drives can make. Up to rounding they
/// satisfy
///   τ = M(q)·q̈ + c(q, q̇) + g(q) + ia·q̈ + τ_f(q̇) − J(q)ᵀ·f, and what a mismatch adds.
/// The state after a step does not belong to that step's acceleration (4.6 % torque error on a
/// two-link arm at 0.25 ms). The integrators are semi-implicit, q̇ ← q̇ + h·q̈ and then q ← q + h·q̇:
/// the recorded velocity is the slope of the recorded positions half a step *earlier*.
///
/// With `friction_integration` "implicit" the step q̇ ← q̇ + Δ is that of ImplicitFriction. Samples
/// stay what they are: q̈ is the acceleration of the continuous equations, with τ_f at the recorded
/// q̇, and satisfies them up to rounding. Δ/h differs from it by what friction changes within the
/// step, of first order in h, as q̈ anyway differs from the mean acceleration of a step.
///
/// Bristles of LuGre friction and the states of presliding (Presliding) keep their values at the
/// beginning of a step for the whole step and then follow its new velocity, or its way: springs of
/// a semi-implicit step, with every integrator and friction_integration.
///
/// Friction that grows with the load (TrueFriction) takes the load of the beginning of a step, of
/// each stage of Runge-Kutta under a torque law. It is exact: what the losses leave of the torque
/// on the joint, which needs no acceleration.
///
/// Friction that warms up is that of the beginning of a step, of each stage of Runge-Kutta under a
/// torque law, or at the end of a step if it is implicit.
///
/// Payloads keep their value at the beginning of a step for the whole step. Position and velocity
/// do not jump when one comes or goes. So do forces f from outside, which the controller sees in
/// its feedback alone; MuJoCo's RK4 keeps them, at the centre of mass of their body, in world axes.
/// Noise of the motors' torques acts beside what is commanded, and is kept likewise.
///
/// The force of a wall is that of the state before a step, as samples have it. The step itself
/// takes the wall's damping and friction at its end, linearised, so that a light tip does not
/// chatter: with C of WallContact::AddDamping(), (M + h·JᵀCJ)·Δ = h·M·q̈. Its spring is followed as
/// gravity is.
///
/// Use one object per thread. The scene's robot and environment must outlive it. A joint that
/// leaves its range has hit its stop, which that equation does not contain: the experiment has
/// failed.
class MujocoRobot : public SimulatedRobot {
 public:
  /// @throws std::invalid_argument for walls with options that allow none, see WhyNoWalls().
  explicit MujocoRobot(const Scene& scene);

  int dofs() const override { return robot_.dofs(); }
  double step_s() const override { return robot_.options().timestep_s; }
  /// @throws std::invalid_argument for vectors of another size.
  void Reset(const Eigen::VectorXd& q, const Eigen::VectorXd& qd) override;
  void State(JointState& state) const override;
  /// @throws PlantError, naming time and joint, if the state, the acceleration or the torque is not
  ///         finite or exceeds 1e8, a joint leaves its range, MuJoCo warns, the experiment takes
  ///         more than `max_steps` or begins inside a wall, or a contact is too stiff for the step.
  void Step(const Eigen::VectorXd& tau_command, TrueSample& sample) override;
  /// Makes a step under a torque that is known for all times. With the integrator RK4, torque,
  /// friction and forces from outside are those of each stage of the classical method, so that a
  /// smooth law is followed to fourth order in the step; bristles, presliding and payloads keep
  /// their value at its beginning. All other integrators hold the torque at the beginning.
  /// @throws PlantError as above.
  void Step(const TorqueLaw& law, TrueSample& sample);

 private:
  /// Computes the acceleration of the current state under `tau` minus the joints' losses at time t,
  /// and what acts from outside then.
  void Accelerate(double t, const Eigen::VectorXd& tau, const JointState& state);
  /// Fills in the sample of this instant.
  void Begin(const Eigen::VectorXd& tau, TrueSample& sample);
  void End(const TrueSample& sample);
  /// Integrates by Runge-Kutta from t, whose acceleration is known, to the next instant.
  void IntegrateLaw(const TorqueLaw& law, double t);
  /// Computes q̇ ← q̇ + h·q̈, then q ← q + h·q̇: bit for bit what mj_step() does here
  /// after mj_forward(). With implicit friction or in contact with a wall, q̇ ← q̇ + Δ.
  void Integrate(const TrueSample& sample);
  /// Finds the change Δ of the velocities in a step with what is taken at the step's end: implicit
  /// friction, and the damping and friction of contacts with walls.
  void AccelerateImplicitly(const TrueSample& sample);
  bool InContact() const;
  /// Refuses contacts of which the step cannot follow the spring. `M_` comes before.
  void CheckContacts(double t);
  /// Returns what acts of a commanded torque of joint i.
  double Resolved(int i, double tau) const;
  /// Returns the torque of joint i besides that for links and rotor, with `factor` times the
  /// friction of the start.
  double Losses(int i, const JointState& state, double factor) const;
  /// Returns the load of joint i under what the losses without a load leave of its torque.
  double LoadUnder(int i, double rest, double qd, double factor) const;
  /// Advances the bristles after a step, with its new velocity, and presliding by its way.
  void AdvanceBristles(const TrueSample& sample);
  void CheckBefore(const TrueSample& sample) const;
  void CheckAfter(const TrueSample& sample) const;

  const TrueRobot& robot_;
  CurrentModel model_;
  std::optional<OutsideForces> outside_;  ///< Of a scene with an environment.
  const MotorNoise* noise_ = nullptr;     ///< Of that environment.
  DataPtr data_;
  bool semi_implicit_;  ///< Integrate() makes the steps.
  std::optional<ImplicitFriction> implicit_friction_;
  Eigen::MatrixXd inertia_;   ///< n × n, in MuJoCo's order.
  Eigen::MatrixXd M_;         ///< n × n
  Eigen::MatrixXd damped_M_;  ///< n × n, with the damping of contacts over a step.
  Eigen::VectorXd mean_qdd_;  ///< n, of a step with that damping.
  Eigen::LLT<Eigen::MatrixXd> cholesky_;
  Eigen::VectorXd delta_;     ///< n, of the velocities in a step.
  Eigen::VectorXd bristles_;  ///< z of the LuGre friction, n [rad or m]; 0 at the start.
  Presliding presliding_;
  Eigen::VectorXd law_tau_;   ///< n, torque of the law at an instant.
  Eigen::VectorXd term_tau_;  ///< n, torque of the own terms less the motors' noise at an instant.
  Eigen::VectorXd load_;  ///< n, loads of the joints at an instant; 0 if no friction needs them.
  const Eigen::VectorXd no_load_;  ///< n zeros.
  JointState stage_;               ///< Stage of the Runge-Kutta method, or state after a step.
  std::int64_t steps_ = 0;         ///< Since Reset().
};

}  // namespace idbench
