#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/lab_checks/lab_context.h"
#include "bench/lab_checks/speed_limits.h"

namespace idbench {

std::vector<LabFinding> TellTooFast(const LabContext& context) {
  if (IsUnusable(context.log)) return {};
  const DataChange change =
      context.search != nullptr ? context.search->change : DataChange::None(context.model());
  const Eigen::VectorXd& limits = context.log.robot.model.limits().velocity;
  const Eigen::VectorXd speeds = TopSpeeds(context.model(), context.log.processed, change);
  const std::vector<int> joints = TooFastJoints(speeds, limits);
  if (joints.empty()) return {};
  std::vector<std::string> told;
  double most = 0.0;
  for (const int j : joints) {
    told.push_back(
        fmt::format("{:.3g} of {}, where it says {:.3g}", speeds[j], context.joint(j), limits[j]));
    most = std::max(most, speeds[j] / limits[j]);
  }
  return {
      {.check = "too_fast",
       .joint = NamesOf(context.model(), joints),
       .evidence = fmt::format("joints are faster than the file says that they can be, up to "
                               "{:.3g} times: {} (rad/s or m/s; 99 % of the samples are slower)",
                               most, fmt::join(told, "; ")),
       .cure = "check the unit of the time stamps, or the rate that was given for them, and "
               "that of the positions; or the limits in the file are those of a controller"}};
}

}  // namespace idbench
