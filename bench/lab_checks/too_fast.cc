#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "bench/lab_checks/lab_context.h"
#include "robots/urdf_limits.h"

namespace idbench {
namespace {

/// Part of the samples that has to be slower: a few may be noise.
constexpr double kQuantile = 0.99;
/// Above the file's limit: some files state what a controller allows, and drives do a little more.
constexpr double kBeyond = 1.25;

/// Speed that kQuantile of a joint's samples do not exceed, under the changes that were found.
double SpeedOf(const LabContext& context, Eigen::Index j) {
  const DataChange change =
      context.search != nullptr ? context.search->change : DataChange::None(context.model());
  const int column = change.position_of[static_cast<std::size_t>(j)];
  std::vector<double> speeds;
  for (const Dataset& segment : context.log.processed) {
    const auto qd = segment.Get(kJointVelocity).samples.col(column);
    for (const double each : qd) {
      speeds.push_back(std::abs(change.clock_speed * change.position_scale[column] * each));
    }
  }
  if (speeds.empty()) return 0.0;
  const auto at = static_cast<std::ptrdiff_t>(kQuantile * static_cast<double>(speeds.size() - 1));
  std::ranges::nth_element(speeds, speeds.begin() + at);
  return speeds[static_cast<std::size_t>(at)];
}

}  // namespace

std::vector<LabFinding> TellTooFast(const LabContext& context) {
  if (IsUnusable(context.log)) return {};
  const Eigen::VectorXd limits = StatedVelocityLimits(context.log.robot);
  std::vector<std::string> joints, speeds;
  double most = 0.0;
  for (Eigen::Index j = 0; j < limits.size(); ++j) {
    if (!std::isfinite(limits[j]) || limits[j] <= 0.0) continue;
    const double speed = SpeedOf(context, j);
    if (speed <= kBeyond * limits[j]) continue;
    joints.push_back(context.joint(j));
    speeds.push_back(
        fmt::format("{:.3g} of {}, where it says {:.3g}", speed, joints.back(), limits[j]));
    most = std::max(most, speed / limits[j]);
  }
  if (joints.empty()) return {};
  const Eigen::Index dofs = context.model().dofs();
  return {
      {.check = "too_fast",
       .joint = dofs > 1 && std::ssize(joints) == dofs ? "all joints"
                                                       : fmt::format("{}", fmt::join(joints, ", ")),
       .evidence = fmt::format("joints are faster than the file says that they can be, up to "
                               "{:.3g} times: {} (rad/s or m/s; 99 % of the samples are slower)",
                               most, fmt::join(speeds, "; ")),
       .cure = "check the unit of the time stamps, or the rate that was given for them, and "
               "that of the positions; or the limits in the file are those of a controller"}};
}

}  // namespace idbench
