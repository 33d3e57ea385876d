#include "robots/control/control_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <utility>

namespace idbench {
namespace {

double GreatestStableFrequency(double damping_ratio, double rate_hz) {
  return rate_hz / (2.0 * std::numbers::pi) * std::min(4.0 * damping_ratio, 1.0 / damping_ratio);
}

}  // namespace

void AddFields(FieldTable& table, ControlLoopOptions& options) {
  table
      .Add("model", options.model,
           {.doc = "Parameters of the controller's own model: those of the problem's prior, the "
                   "true ones, or those that an estimator found (estimate), with which the "
                   "experiment, of role application, is made anew for each estimator"})
      .Add("rate_hz", options.rate_hz,
           {.doc = "Rate of the controller, which holds each torque until the next; must divide "
                   "the plant's step rate",
            .unit = "Hz",
            .lower = 0,
            .lower_open = true})
      .Add("feedback", options.feedback,
           {.doc =
                "State that is fed back: the true one, exact, so that trials share their roll-outs "
                "(true_state), or what the scenario's sensors of position and velocity would read "
                "at the controller's rate, with noise of its own in every trial (measured)"})
      .Add("velocity_cutoff_hz", options.velocity_cutoff_hz,
           {.doc = "Cut-off of the first-order low-pass after the backward difference of the "
                   "position; used if feedback is measured and joint_velocity is not",
            .unit = "Hz",
            .lower = 0,
            .lower_open = true})
      .Add("effort_limits", options.effort_limits,
           {.doc = "Clip torques at the robot's effort limits"});
}

void AddStabilityCheck(FieldTable& table, const double& natural_frequency_hz,
                       const double& damping_ratio, const double& rate_hz,
                       const std::function<bool()>& counts) {
  table.Check([&natural_frequency_hz, &damping_ratio, &rate_hz,
               counts](std::vector<Issue>& issues) {
    if (counts && !counts()) return;
    const double limit = GreatestStableFrequency(damping_ratio, rate_hz);
    if (natural_frequency_hz < limit) return;
    issues.push_back(
        {"/natural_frequency_hz",
         fmt::format("{} Hz is unstable at a rate of {} Hz and a damping ratio of {}, even with "
                     "a perfect model",
                     natural_frequency_hz, rate_hz, damping_ratio),
         {fmt::format("accepted here: less than {:.6g} Hz, better a tenth of it", limit)}});
  });
}

EffortLimited::EffortLimited(std::unique_ptr<Controller> controller, Eigen::VectorXd limits)
    : controller_(std::move(controller)), limits_(std::move(limits)) {}

void EffortLimited::Act(const JointState& desired, const Reading& reading, Command& command) {
  controller_->Act(desired, reading, command);
  Clip(command);
}

void EffortLimited::LetGo(const Reading& reading, Command& command) {
  controller_->LetGo(reading, command);
  Clip(command);
}

void EffortLimited::Clip(Command& command) const {
  command.value = command.value.cwiseMax(-limits_).cwiseMin(limits_);
}

}  // namespace idbench
