#pragma once

#include <Eigen/Core>

namespace idbench {

/// What a recorded roll-out really did, at the rate of its sensors and before any sensor effect.
///
/// Rows are samples, columns joints. Row i of q, qd, qdd and tau belongs to one instant, time_s(i):
/// the four satisfy the robot's equation of motion there. What nobody asked for is empty.
struct Signals {
  Eigen::VectorXd time_s;  ///< N, strictly increasing [s].
  Eigen::MatrixXd q;       ///< N × n [rad or m]
  Eigen::MatrixXd qd;      ///< N × n [rad/s or m/s]
  Eigen::MatrixXd qdd;     ///< N × n [rad/s² or m/s²]
  /// N × n [N·m or N]: the torque on the joint, which moves the links and overcomes joint friction
  /// and rotor inertia, τ = ID(q, q̇, q̈) + ia·q̈ + τ_f(q̇). What a mismatch adds, cogging or a
  /// friction with a state, is on its far side too.
  Eigen::MatrixXd tau;
  /// N × n: the motors' torque [N·m] and current [A] behind their gears; or empty.
  Eigen::MatrixXd motor_torque;
  Eigen::MatrixXd motor_current;
  /// N × 6: force [N], then moment [N·m], of the ground on the base, at the base's origin, in base
  /// axes; or empty.
  Eigen::MatrixXd base_wrench;
  /// N × 6: the wrench at the end effector that stands for `tau`, see WrenchFromTorque(); or empty.
  Eigen::MatrixXd end_effector_wrench;
  Eigen::MatrixXd actuator_torque;  ///< N × m [N·m or N]: u of τ = B·u, see Actuation; or empty.
  /// N × 3, at the true IMU, in the axes of its link; or empty: acceleration less that of free fall
  /// [m/s²], and angular velocity [rad/s].
  Eigen::MatrixXd accelerometer;
  Eigen::MatrixXd gyroscope;
  Eigen::MatrixXd distance;  ///< N × 1 [m], see DistanceMeter; or empty.
};

}  // namespace idbench
