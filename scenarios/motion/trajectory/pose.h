#pragma once

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "robots/dynamics/model.h"
#include "scenarios/options/binding.h"
#include "scenarios/options/config_error.h"

namespace idbench {

/// Returns the numbers as a vector.
inline Eigen::VectorXd ToVector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// Appends an issue unless there is one value per joint.
void CheckSize(const std::vector<double>& values, const RobotModel& model, const std::string& where,
               std::vector<Issue>& issues);

/// As CheckSize() for positions, and appends an issue for each position out of its joint's range.
void CheckPose(const std::vector<double>& q, const RobotModel& model, const std::string& where,
               std::vector<Issue>& issues);

/// Appends an issue unless there is one value, or one per joint.
void CheckPerJoint(const PerJoint& values, const RobotModel& model, const std::string& where,
                   std::vector<Issue>& issues);

/// Returns the least and the greatest position of a joint. Where the robot states neither, they are
/// ±π rad or ±1 m; where it states one, the other is 2π rad or 2 m away.
std::pair<double, double> PositionRange(const RobotModel& model, int joint);

}  // namespace idbench
