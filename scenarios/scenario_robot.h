#pragma once

#include <vector>

#include "robots/robot.h"
#include "scenarios/options/config_error.h"
#include "scenarios/problem/robot_options.h"

namespace idbench {

/// Loads the scenario's robot and adds what the options attach to it: end effector, IMU and
/// distance meter. Returns false, with an issue, if that fails; without an issue if the options
/// name no model.
bool LoadRobotInto(const RobotOptions& options, Robot& robot, std::vector<Issue>& issues);

}  // namespace idbench
