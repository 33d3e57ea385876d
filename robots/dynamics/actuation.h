#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "robots/dynamics/model.h"

namespace idbench {

/// True if every joint has one motor, called like the joint and in the order of the joints: B = 1.
bool HasMotorOnEachJoint(const RobotModel& model);

/// Names of the joints that nothing drives.
std::vector<std::string> UndrivenJoints(const RobotModel& model);

/// Left inverse of B, m × n: u = B⁺·τ of a joint torque τ = B·u.
/// @throws std::invalid_argument if motors drive their joints in the same way, or none.
Eigen::MatrixXd MotorsOfJointTorque(const Actuation& actuation);

}  // namespace idbench
