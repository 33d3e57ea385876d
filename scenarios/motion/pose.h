#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "robots/dynamics/model.h"
#include "scenarios/options/config_error.h"

namespace idbench {

/// Numbers that stand in a file, one for each joint.
inline Eigen::VectorXd ToVector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// Appends an issue if `values` are not one for each joint.
void CheckSize(const std::vector<double>& values, const RobotModel& model, const std::string& where,
               std::vector<Issue>& issues);

/// CheckSize() of positions, and an issue for each that is out of its joint's range.
void CheckPose(const std::vector<double>& q, const RobotModel& model, const std::string& where,
               std::vector<Issue>& issues);

}  // namespace idbench
