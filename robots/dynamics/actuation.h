#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "robots/dynamics/model.h"

namespace idbench {

/// Returns true if every joint has one motor, with the joint's name and in the order of the
/// joints: B = 1.
bool HasMotorOnEachJoint(const RobotModel& model);

/// Returns the names of the joints that no motor drives.
std::vector<std::string> UndrivenJoints(const RobotModel& model);

/// Returns the left inverse B⁺ (m × n) of B: u = B⁺·τ for a joint torque τ = B·u.
/// @throws std::invalid_argument if there are no motors, or if the columns of B are
///         linearly dependent.
Eigen::MatrixXd MotorsOfJointTorque(const Actuation& actuation);

}  // namespace idbench
