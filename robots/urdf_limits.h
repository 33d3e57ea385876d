#pragma once

#include <Eigen/Core>

#include "robots/robot.h"

namespace idbench {

/// Returns the velocity limits of a robot's joints, n [rad/s or m/s]: those of its model and, which
/// MuJoCo does not keep, those that its URDF file states. Limits of 0 or less count as none.
/// Infinite where there is none.
Eigen::VectorXd StatedVelocityLimits(const Robot& robot);

}  // namespace idbench
