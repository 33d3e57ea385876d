#pragma once

#include <Eigen/Core>

namespace idbench {

/// What a recorded roll-out really did, at the rate of its sensors and before any sensor effect.
///
/// Rows are samples, columns joints. Row i of q, qd, qdd and tau belongs to one instant, time_s(i):
/// the four satisfy the robot's equation of motion there.
struct Signals {
  Eigen::VectorXd time_s;  ///< N, strictly increasing [s].
  Eigen::MatrixXd q;       ///< N × n [rad or m]
  Eigen::MatrixXd qd;      ///< N × n [rad/s or m/s]
  Eigen::MatrixXd qdd;     ///< N × n [rad/s² or m/s²]
  /// N × n [N·m or N]: the torque on the joint, which moves the links and overcomes joint friction
  /// and rotor inertia, τ = ID(q, q̇, q̈) + ia·q̈ + fv·q̇ + fc·s(q̇) + fo.
  Eigen::MatrixXd tau;
};

}  // namespace idbench
