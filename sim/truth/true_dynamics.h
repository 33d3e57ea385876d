#pragma once

#include <Eigen/Core>
#include <optional>

#include "robots/mjspec.h"
#include "sim/truth/current_model.h"
#include "sim/truth/outside_forces.h"
#include "sim/truth/scene.h"

namespace idbench {

/// Exact reading of an IMU, in the axes of its link.
struct ImuReading {
  Eigen::Vector3d acceleration;      ///< Of its point, minus that of free fall [m/s²].
  Eigen::Vector3d angular_velocity;  ///< [rad/s]
};

/// Exact dynamics of a true robot, by MuJoCo: the oracle of simulation and metrics.
///
/// Base wrenches include what moves and the base link; they exclude other things that the model
/// file fixes to the world, which are part of the ground. What touches the robot at the time that
/// was set takes its part of torques and wrenches. Holds its own scratch: use one object per
/// thread. The scene's robot and environment must outlive it. Allocates nothing after construction.
class TrueDynamics {
 public:
  explicit TrueDynamics(const Scene& scene);

  /// Sets the payloads, touches and friction of time `t` [s] since the start of an experiment;
  /// before the first call there are the payloads that always are, nothing touches, and friction is
  /// that of the start.
  void SetTime(double t);

  /// Computes τ = M(q)·q̈ + c(q, q̇) + g(q) + ia·q̈ + τ_f(q̇) − J(q)ᵀ·f, n each [rad or m, s, N·m
  /// or N], with the forces f from outside, less the noise of motors' torques, plus cogging and the
  /// springs of cables, without effects that have a state or are a constraint, see
  /// MismatchOptions::NeedsSimulation(). Coulomb friction is that without presliding, to which it
  /// comes with the way; Presliding::AddTorques() adds the difference. Friction and noise are
  /// those of the time that was set.
  void Torque(const Eigen::VectorXd& q, const Eigen::VectorXd& qd, const Eigen::VectorXd& qdd,
              Eigen::VectorXd& tau);
  /// Returns the loads ℓ of the joints of the last Torque(), see TrueFriction, n [N·m or N]; 0 if
  /// no friction grows with them.
  const Eigen::VectorXd& load() const { return load_; }

  /// Computes force, then moment, of the ground on the base, at the base's origin, in base
  /// axes [N, N·m].
  /// @param[out] wrench  6.
  void BaseWrench(const Eigen::VectorXd& q, const Eigen::VectorXd& qd, const Eigen::VectorXd& qdd,
                  Eigen::Ref<Eigen::VectorXd> wrench);

  /// Computes the wrench at a cut of the robot, on what lies beyond it [N, N·m]: force, then
  /// moment, about the cut's origin, in its axes, and what its sensor reads besides: its offsets
  /// and the wrenches of cables that bridge it. Payloads on its link lie beyond.
  /// @param[out] wrench  6.
  void CutWrench(const TrueCut& cut, const Eigen::VectorXd& q, const Eigen::VectorXd& qd,
                 const Eigen::VectorXd& qdd, Eigen::Ref<Eigen::VectorXd> wrench);

  /// Computes force and moment of all that touches the robot, about the base's origin, in base axes
  /// [N, N·m].
  /// @param[out] wrench  6.
  void ExternalWrench(const Eigen::VectorXd& q, const Eigen::VectorXd& qd,
                      Eigen::Ref<Eigen::VectorXd> wrench);

  /// Computes the wrench at the end effector that is equivalent to the joint torques `tau`, see
  /// WrenchFromTorque() [N, N·m].
  /// @param[out] wrench  6.
  void WrenchAtEndEffector(const Eigen::VectorXd& q, const Eigen::VectorXd& tau,
                           Eigen::Ref<Eigen::VectorXd> wrench);

  /// Returns what the IMU reads; the robot must have one.
  ImuReading Imu(const Eigen::VectorXd& q, const Eigen::VectorXd& qd, const Eigen::VectorXd& qdd);

  /// Returns the distance [m] from the distance meter, which the robot must have, along its axis
  /// to the ground: the plane through the base's origin normal to gravity. Nothing if the axis
  /// does not meet it.
  std::optional<double> Distance(const Eigen::VectorXd& q);

  /// Computes M(q), rotor inertias included, n × n.
  void MassMatrix(const Eigen::VectorXd& q, Eigen::MatrixXd& M);

 private:
  /// Force and moment about a point, in world axes [N, N·m].
  struct Wrench {
    Eigen::Vector3d force_W = Eigen::Vector3d::Zero(), moment_W = Eigen::Vector3d::Zero();
  };
  /// Adds what its parent exerts on a body and all that this carries, about a point P. The state
  /// and mj_rnePostConstraint() come before.
  void AddForceOn(int body, const Eigen::Vector3d& p_WP_W, Wrench& wrench) const;
  bool IsPayload(int body) const;
  /// Computes `load_` from `forces_`, and adds the friction that comes with it.
  void AddLoadFriction(const Eigen::VectorXd& qd, const Eigen::VectorXd& qdd, Eigen::VectorXd& tau);
  /// Returns the axes of a body in the world, at the position that was set.
  Eigen::Matrix3d RotationOf(int body) const;
  void SetPosition(const Eigen::VectorXd& q);
  void SetState(const Eigen::VectorXd& q, const Eigen::VectorXd& qd, const Eigen::VectorXd& qdd);

  const TrueRobot& robot_;
  CurrentModel model_;
  std::optional<OutsideForces> outside_;  ///< Of a scene with an environment.
  const MotorNoise* noise_ = nullptr;     ///< Of the scene's environment.
  double time_s_ = 0.0;
  double friction_factor_ = 1.0;  ///< At the time that was set.
  DataPtr data_;
  Eigen::VectorXd forces_;   ///< n, in MuJoCo's order.
  Eigen::VectorXd load_;     ///< n
  Eigen::MatrixXd inertia_;  ///< n × n, in MuJoCo's order.
  using Jacobian = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;
  Jacobian velocities_, turns_;  ///< 3 × n, of the end effector, in MuJoCo's order and world axes.
  Eigen::MatrixXd J_, T_;        ///< 6 × n
};

}  // namespace idbench
