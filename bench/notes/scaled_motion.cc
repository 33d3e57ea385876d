#include "bench/notes/scaled_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "robots/urdf_limits.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

constexpr double kLookedAtHz = 200.0;
constexpr double kNearLimit = 0.99;  // peaks lie between the instants that are looked at

/// Whether some part of a motion is made slower where limits of velocity ask for it.
bool KeepsVelocityLimits(const MotionOptions& options) {
  bool keeps = false;
  ForEachPart(options, [&keeps]<class Part>(const Part& part, const std::string&) {
    if constexpr (requires { part.velocity_limits; }) keeps |= part.velocity_limits;
  });
  return keeps;
}

}  // namespace

std::string ScaledMotionNote(const Robot& robot, const std::string& experiment,
                             const MotionOptions& options, const Motion& motion) {
  if (!KeepsVelocityLimits(options)) return "";
  const std::vector<std::string> names = robot.model.joint_names();
  const Eigen::VectorXd stated = UrdfVelocityLimits(robot.file, names);
  Eigen::VectorXd speeds = Eigen::VectorXd::Zero(stated.size());
  JointState state = JointState::Zero(robot.model.dofs());
  const auto last = static_cast<std::int64_t>(std::floor(motion.duration_s() * kLookedAtHz));
  for (std::int64_t k = 0; k <= last && stated.array().isFinite().any(); ++k) {
    motion.Evaluate(static_cast<double>(k) / kLookedAtHz, state);
    speeds = speeds.cwiseMax(state.qd.cwiseAbs());
  }
  std::vector<std::string> held;
  for (Eigen::Index j = 0; j < stated.size(); ++j) {
    const bool counts = stated[j] == robot.model.limits().velocity[j];  // not another of robot.json
    if (counts && speeds[j] >= kNearLimit * stated[j]) {
      held.push_back(names[static_cast<std::size_t>(j)]);
    }
  }
  if (held.empty()) return "";
  return fmt::format(
      "the limits of velocity in the URDF hold back the motion of {}: {} "
      "(\"velocity_limits\": false lifts them)",
      experiment, ListSome(held));
}

}  // namespace idbench
