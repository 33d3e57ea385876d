#pragma once

#include <vector>

#include "robots/robot.h"
#include "scenarios/options/config_error.h"
#include "scenarios/robot_options.h"

namespace idbench {

/// Loads the scenario's robot and places what the options fix to it: end effector, IMU and distance
/// meter. False, with an issue, if that fails or no model was read.
bool LoadRobotInto(const RobotOptions& options, Robot& robot, std::vector<Issue>& issues);

}  // namespace idbench
