#include "robots/dynamics/joint_limits.h"

#include <cmath>

namespace idbench {

std::vector<std::string> WithoutVelocityLimit(const RobotModel& model) {
  std::vector<std::string> joints;
  for (int i = 0; i < model.dofs(); ++i) {
    if (!std::isfinite(model.limits().velocity[i])) joints.push_back(model.link(i).joint);
  }
  return joints;
}

}  // namespace idbench
