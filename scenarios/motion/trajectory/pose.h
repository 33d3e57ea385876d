#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "robots/dynamics/model.h"
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

}  // namespace idbench
