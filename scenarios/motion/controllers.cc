#include "scenarios/motion/controllers.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <type_traits>
#include <utility>

#include "robots/dynamics/actuation.h"
#include "scenarios/motion/trajectory/pose.h"

namespace idbench {
namespace {

bool HasEffortLimits(const ControlOptions& options) {
  if (const auto* replay = std::get_if<TorqueReplayOptions>(&options)) return replay->effort_limits;
  const ControlLoopOptions* loop = LoopOf(options);
  return loop != nullptr && loop->effort_limits;
}

}  // namespace

const ControlLoopOptions* LoopOf(const ControlOptions& options) {
  if (const auto* pd = std::get_if<PdGravityOptions>(&options)) return &pd->loop;
  const auto* computed = std::get_if<ComputedTorqueOptions>(&options);
  return computed != nullptr ? &computed->loop : nullptr;
}

std::unique_ptr<Controller> MakeController(const ControlOptions& options, const RobotModel& model,
                                           InverseDynamics inverse_dynamics, const Motion& motion,
                                           const std::optional<ReleaseOptions>& release) {
  std::unique_ptr<Controller> controller;
  if (const auto* computed = std::get_if<ComputedTorqueOptions>(&options)) {
    controller = std::make_unique<ComputedTorque>(*computed, inverse_dynamics);
  } else if (const auto* pd = std::get_if<PdGravityOptions>(&options)) {
    PdGains gains = GainsOf(*pd, inverse_dynamics, motion, model.dofs());
    controller = std::make_unique<PdGravity>(std::move(gains), pd->loop.rate_hz, inverse_dynamics);
  }
  if (controller && release) {
    controller = std::make_unique<Releasing>(std::move(controller), *release,
                                             std::move(inverse_dynamics), model.dofs());
  }
  if (controller && LoopOf(options)->effort_limits) {
    controller = std::make_unique<EffortLimited>(std::move(controller), model.limits().effort);
  }
  return controller;
}

std::vector<Issue> CheckRelease(const ControlOptions& control, const std::string& where) {
  if (LoopOf(control) != nullptr) return {};
  const std::string_view type =
      std::visit([](const auto& kind) { return std::decay_t<decltype(kind)>::kType; }, control);
  return {
      {where,
       fmt::format("has no meaning with the control {}, which has no controller to let go", type),
       {"remove it, or give the experiment a control with feedback: computed_torque, "
        "pd_gravity"}}};
}

std::vector<Issue> CheckControl(const ControlOptions& options, const RobotModel& model,
                                const std::string& where) {
  std::vector<Issue> issues;
  if (const auto* pd = std::get_if<PdGravityOptions>(&options)) {
    if (pd->kp_nm_rad) CheckPerJoint(*pd->kp_nm_rad, model, where + "/kp_nm_rad", issues);
    if (pd->kd_nms_rad) CheckPerJoint(*pd->kd_nms_rad, model, where + "/kd_nms_rad", issues);
  }
  if (const auto* replay = std::get_if<TorqueReplayOptions>(&options)) {
    for (Issue& issue : CheckTorqueReplay(*replay, model, where)) {
      issues.push_back(std::move(issue));
    }
  } else if (const std::vector<std::string> undriven = UndrivenJoints(model); !undriven.empty()) {
    issues.push_back(
        {where,
         fmt::format("this control needs a motor on every joint, but nothing drives {}",
                     ListSome(undriven)),
         {"set it to {\"type\": \"torque_replay\", …}",
          "or hold what nothing drives: \"joints\" and \"held_at\" of /robot"}});
  }
  if (HasEffortLimits(options) && !model.limits().effort.array().isFinite().any()) {
    issues.push_back({where + "/effort_limits",
                      fmt::format("{} has no effort limits", model.name()),
                      {"add them to the robot, or set this to false"}});
  }
  return issues;
}

}  // namespace idbench
