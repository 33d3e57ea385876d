#include "bench/lab_checks/speed_limits.h"

#include <algorithm>
#include <cmath>

#include "robots/recording/channels.h"

namespace idbench {

Eigen::VectorXd TopSpeeds(const RobotModel& model, std::span<const Dataset> processed,
                          const DataChange& change) {
  constexpr double kQuantile = 0.99;
  Eigen::VectorXd top = Eigen::VectorXd::Zero(model.dofs());
  for (Eigen::Index j = 0; j < top.size(); ++j) {
    const int column = change.position_of[static_cast<std::size_t>(j)];
    std::vector<double> speeds;
    for (const Dataset& segment : processed) {
      const auto qd = segment.Get(kJointVelocity).samples.col(column);
      for (const double each : qd) {
        speeds.push_back(std::abs(change.clock_speed * change.position_scale[column] * each));
      }
    }
    if (speeds.empty()) continue;
    const auto at = static_cast<std::ptrdiff_t>(kQuantile * static_cast<double>(speeds.size() - 1));
    std::ranges::nth_element(speeds, speeds.begin() + at);
    top[j] = speeds[static_cast<std::size_t>(at)];
  }
  return top;
}

std::vector<int> TooFastJoints(const Eigen::VectorXd& speeds, const Eigen::VectorXd& limits) {
  constexpr double kBeyond = 1.25;
  std::vector<int> joints;
  for (Eigen::Index j = 0; j < limits.size(); ++j) {
    const bool states_one = std::isfinite(limits[j]) && limits[j] > 0.0;
    if (states_one && speeds[j] > kBeyond * limits[j]) joints.push_back(static_cast<int>(j));
  }
  return joints;
}

bool IsTooFast(const Robot& robot, std::span<const Dataset> processed, const DataChange& change) {
  const Eigen::VectorXd speeds = TopSpeeds(robot.model, processed, change);
  return !TooFastJoints(speeds, robot.model.limits().velocity).empty();
}

}  // namespace idbench
