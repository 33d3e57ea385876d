#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "bench/lab_checks/data_change.h"
#include "robots/recording/dataset.h"
#include "robots/robot.h"

namespace idbench {

/// Returns the speeds that 99 % of the samples of each joint do not exceed, because a few may be
/// noise [rad/s or m/s]; 0 without samples.
Eigen::VectorXd TopSpeeds(const RobotModel& model, std::span<const Dataset> processed,
                          const DataChange& change);

/// Returns the joints of which such speeds are beyond 1.25 times the limits that the robot's files
/// state: some state what a controller allows, and drives do a little more.
std::vector<int> TooFastJoints(const Eigen::VectorXd& speeds, const Eigen::VectorXd& limits);

/// Whether there are such joints under a change.
bool IsTooFast(const Robot& robot, std::span<const Dataset> processed, const DataChange& change);

}  // namespace idbench
