#include "bench/notes/exceeded_torques.h"

#include <fmt/format.h>

#include <cmath>
#include <type_traits>
#include <vector>

#include "robots/recording/channels.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// Part of a limit that is round-off.
constexpr double kRounding = 1e-6;

}  // namespace

std::string ExceededTorqueNote(const RobotModel& model, const std::string& experiment,
                               const MotionOptions& options, const Signals& clean) {
  bool designed = false;
  ForEachPart(options, [&designed]<class Part>(const Part& part, const std::string&) {
    if constexpr (std::is_same_v<Part, ExcitingMotionOptions>) designed |= part.torque_limits;
  });
  if (!designed) return "";
  std::vector<std::string> beyond;
  for (int j = 0; j < model.dofs(); ++j) {
    const double limit = model.limits().effort[j];
    const double most = clean[kJointTorque].col(j).lpNorm<Eigen::Infinity>();
    if (!std::isfinite(limit) || !(most > (1.0 + kRounding) * limit)) continue;
    const int unit = model.link(j).type == JointType::kPrismatic ? 1 : 0;
    beyond.push_back(fmt::format("{} ({:.3g} of {:.3g} {})", model.link(j).joint, most, limit,
                                 ChannelNamed(kJointTorque).units[static_cast<std::size_t>(unit)]));
  }
  if (beyond.empty()) return "";
  return fmt::format(
      "torques of {} go beyond the limits that its motion keeps on the nominal robot: {}; the true "
      "robot or its control takes more, give the design a smaller \"margin\" or \"torque_sigmas\"",
      experiment, ListSome(beyond));
}

}  // namespace idbench
