#pragma once

#include <Eigen/Core>

#include "robots/recording/dataset.h"

namespace idbench {

/// Gears and couplings between motors and joints, without elasticity or losses:
///   q_m = N·(q − q₀),  q̇_m = N·q̇,  τ = Nᵀ·τ_m,
/// with the motors' positions q_m and their torques τ_m on the motors' side.
struct Transmission {
  Eigen::MatrixXd N;       ///< m × n, motor per joint.
  Eigen::VectorXd offset;  ///< q₀, n: where the motors' positions are 0 [rad or m].
};

/// Returns the dataset with the joint channels that its motor channels determine and that it lacks:
/// positions from motor_position, torques from motor_torque. They are in SI units, with the times
/// and the origin of their sources, so that a low-pass of all measured channels smooths them;
/// sources stay.
/// @throws std::invalid_argument if N is not square and regular, or a source has another number of
///         columns than there are motors.
Dataset ThroughTransmission(const Dataset& dataset, const Transmission& transmission);

}  // namespace idbench
