#pragma once

#include <Eigen/Core>
#include <optional>

#include "robots/mjspec.h"
#include "sim/current_model.h"
#include "sim/true_robot.h"

namespace idbench {

/// What an IMU without error reads, in the axes of its link.
struct ImuReading {
  Eigen::Vector3d acceleration;      ///< Of its point, less that of free fall [m/s²].
  Eigen::Vector3d angular_velocity;  ///< [rad/s]
};

/// Exact dynamics of a true robot, by MuJoCo: the oracle of simulation and metrics.
///
/// Base wrenches count what moves and the base link; other things that the model file fixes to the
/// world are part of it. Has its own scratch: one per thread. `robot` must outlive it. Allocates
/// nothing after construction.
class TrueDynamics {
 public:
  explicit TrueDynamics(const TrueRobot& robot);

  /// Takes the payloads of time `t` [s]; before the first call there are none.
  void SetTime(double t) { model_.Set(t); }

  /// τ = M(q)·q̈ + c(q, q̇) + g(q) + ia·q̈ + τ_f(q̇), sizes n [rad or m, s, N·m or N], and cogging;
  /// without what has a state or is a constraint, see MismatchOptions::NeedsSimulation().
  void Torque(const Eigen::VectorXd& q, const Eigen::VectorXd& qd, const Eigen::VectorXd& qdd,
              Eigen::VectorXd& tau);

  /// Force, then moment, of the ground on the base, at the base's origin, in base axes [N, N·m].
  /// @param[out] wrench 6.
  void BaseWrench(const Eigen::VectorXd& q, const Eigen::VectorXd& qd, const Eigen::VectorXd& qdd,
                  Eigen::Ref<Eigen::VectorXd> wrench);

  /// Wrench at the end effector that stands for the joint torques `tau`, see
  /// WrenchFromTorque(). @param[out] wrench 6.
  void WrenchAtEndEffector(const Eigen::VectorXd& q, const Eigen::VectorXd& tau,
                           Eigen::Ref<Eigen::VectorXd> wrench);

  /// What the IMU reads; the robot must have one.
  ImuReading Imu(const Eigen::VectorXd& q, const Eigen::VectorXd& qd, const Eigen::VectorXd& qdd);

  /// Distance from the distance meter along its axis to the ground, which the robot must have [m]:
  /// the plane through the base's origin that gravity is normal to. Nothing if it does not meet it.
  std::optional<double> Distance(const Eigen::VectorXd& q);

  /// M(q) with the rotor inertias on its diagonal, n × n.
  void MassMatrix(const Eigen::VectorXd& q, Eigen::MatrixXd& M);

 private:
  /// Axes of a body in the world's, at the position that was set.
  Eigen::Matrix3d RotationOf(int body) const;
  void SetPosition(const Eigen::VectorXd& q);
  void SetState(const Eigen::VectorXd& q, const Eigen::VectorXd& qd, const Eigen::VectorXd& qdd);

  const TrueRobot& robot_;
  CurrentModel model_;
  DataPtr data_;
  Eigen::VectorXd forces_;   ///< n, in MuJoCo's order.
  Eigen::MatrixXd inertia_;  ///< n × n, in MuJoCo's order.
  using Jacobian = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;
  Jacobian velocities_, turns_;  ///< 3 × n, of the end effector, in MuJoCo's order and world axes.
  Eigen::MatrixXd J_, T_;        ///< 6 × n
};

}  // namespace idbench
