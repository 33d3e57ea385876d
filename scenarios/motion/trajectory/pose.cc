#include "scenarios/motion/trajectory/pose.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <numbers>
#include <utility>

namespace idbench {

void CheckSize(const std::vector<double>& values, const RobotModel& model, const std::string& where,
               std::vector<Issue>& issues) {
  if (std::cmp_equal(values.size(), model.dofs())) return;
  issues.push_back({where,
                    fmt::format("got a list of {}", values.size()),
                    {fmt::format("accepted here: one number for each of {}",
                                 fmt::join(model.joint_names(), ", "))}});
}

void CheckPose(const std::vector<double>& q, const RobotModel& model, const std::string& where,
               std::vector<Issue>& issues) {
  const std::size_t issues_before = issues.size();
  CheckSize(q, model, where, issues);
  if (issues.size() != issues_before) return;
  for (int j = 0; j < model.dofs(); ++j) {
    const double position = q[static_cast<std::size_t>(j)];
    const double lower = model.limits().lower(j);
    const double upper = model.limits().upper(j);
    if (position >= lower && position <= upper) continue;
    issues.push_back(
        {fmt::format("{}/{}", where, j),
         fmt::format("got {}, out of the range of joint '{}'", position, model.link(j).joint),
         {fmt::format("accepted here: {} to {}", lower, upper)}});
  }
}

void CheckPerJoint(const PerJoint& values, const RobotModel& model, const std::string& where,
                   std::vector<Issue>& issues) {
  if (values.values.size() == 1 || std::cmp_equal(values.values.size(), model.dofs())) return;
  issues.push_back({where,
                    fmt::format("got a list of {}", values.values.size()),
                    {fmt::format("accepted here: one number, or a list with one for each of {}",
                                 fmt::join(model.joint_names(), ", "))}});
}

std::pair<double, double> PositionRange(const RobotModel& model, int joint) {
  const double lower = model.limits().lower(joint);
  const double upper = model.limits().upper(joint);
  if (std::isfinite(lower) && std::isfinite(upper)) return {lower, upper};
  const bool revolute = model.link(joint).type == JointType::kRevolute;
  const double span = 2.0 * (revolute ? std::numbers::pi : 1.0);
  if (std::isfinite(lower)) return {lower, lower + span};
  if (std::isfinite(upper)) return {upper - span, upper};
  return {-span / 2.0, span / 2.0};
}

}  // namespace idbench
