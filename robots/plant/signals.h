#pragma once

#include <Eigen/Core>

namespace idbench {

/// True signals of a recorded roll-out, at the rate of its sensors and before any sensor effect.
///
/// Rows are samples, columns joints. Row i of q, qd, qdd and tau belongs to one instant, time_s(i):
/// together they satisfy the robot's equation of motion there. What was not requested is empty.
struct Signals {
  Eigen::VectorXd time_s;  ///< N, strictly increasing [s].
  Eigen::MatrixXd q;       ///< N × n [rad or m]
  Eigen::MatrixXd qd;      ///< N × n [rad/s or m/s]
  Eigen::MatrixXd qdd;     ///< N × n [rad/s² or m/s²]
  /// N × n [N·m or N]: torque on the joint, which moves the links and overcomes joint friction and
  /// rotor inertia, τ = ID(q, q̇, q̈) + ia·q̈ + τ_f(q̇). It also overcomes what a mismatch adds,
  /// cogging or friction with a state.
  Eigen::MatrixXd tau;
  /// N × n: the motors' torque [N·m] and current [A], before their gears; or empty.
  Eigen::MatrixXd motor_torque;
  Eigen::MatrixXd motor_current;
  /// N × 6: force [N], then moment [N·m], of the ground on the base, at the base's origin, in base
  /// axes; or empty.
  Eigen::MatrixXd base_wrench;
  /// N × 6: wrench at the end effector equivalent to `tau`, see WrenchFromTorque(); or empty.
  Eigen::MatrixXd end_effector_wrench;
  Eigen::MatrixXd actuator_torque;  ///< N × m [N·m or N]: u of τ = B·u, see Actuation; or empty.
  /// N × 3, at the true IMU, in the axes of its link: acceleration minus that of free fall [m/s²],
  /// and angular velocity [rad/s]; or empty.
  Eigen::MatrixXd accelerometer;
  Eigen::MatrixXd gyroscope;
  Eigen::MatrixXd distance;  ///< N × 1 [m], see DistanceMeter; or empty.
};

}  // namespace idbench
