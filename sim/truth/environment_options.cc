#include "sim/truth/environment_options.h"

#include <fmt/format.h>

#include <algorithm>

namespace idbench {
namespace {

/// Steps of a push of which the sum is its impulse to less than 1 %: the sum of n steps of half a
/// sine is π/(2n)·cot(π/(2n)) of it, 0.992 for n = 10.
constexpr double kLeastPushSteps = 10.0;

}  // namespace

FieldTable Visit(EnvironmentOptions& o) {
  FieldTable table;
  table
      .Add("touches", o.touches,
           {.doc = "Forces on the links: single touches and pushes, and touches that are drawn"})
      .Add("walls", o.walls,
           {.doc = "Planes that points of the robot can press against; a contact that is too stiff "
                   "for the plant's step fails the experiment, with the step that would do"})
      .Add(
          "motor_noise", o.motor_noise,
          {.doc = "Noise of the motors' torques: it acts on the robot beside what drives are told, "
                  "and sensors of torques, currents and duty cycles tell the latter"})
      .Add("contact_from_n", o.contact_from_n,
           {.doc = "Force above which metrics of detection count a sample as contact",
            .unit = "N",
            .lower = 0.0});
  return table;
}

bool DrawnPerTrial(const EnvironmentOptions& options) {
  if (options.motor_noise && options.motor_noise->draw == Draw::kTrial) return true;
  return std::ranges::any_of(options.touches, [](const TouchEventOptions& touch) {
    const auto* const drawn = std::get_if<DrawnTouchesOptions>(&touch);
    return drawn != nullptr && drawn->draw == Draw::kTrial;
  });
}

std::vector<std::string> Describe(const EnvironmentOptions& options) {
  std::vector<std::string> texts;
  for (const TouchEventOptions& touch : options.touches) texts.push_back(Describe(touch));
  for (const WallOptions& wall : options.walls) texts.push_back(Describe(wall));
  if (options.motor_noise) texts.push_back(Describe(*options.motor_noise));
  return texts;
}

std::optional<TouchedPlace> TouchedPlaceOf(const std::string& name, const Robot& robot,
                                           int configuration, const std::string& where,
                                           std::vector<Issue>& issues) {
  const std::vector<AttachedBody>& bodies = robot.model.attached();
  const auto attached = std::ranges::find(bodies, name, &AttachedBody::name);
  if (attached == bodies.end()) {
    const std::optional<LinkBody> body = PlaceOf(name, robot, where, issues);
    return body ? std::optional(TouchedPlace{*body}) : std::nullopt;
  }
  const auto& configurations = robot.model.configurations();
  const std::vector<int> present =
      configuration < 0 ? std::vector<int>()
                        : configurations[static_cast<std::size_t>(configuration)].attached;
  if (std::ranges::find(present, attached - bodies.begin()) == present.end()) {
    issues.push_back({where,
                      fmt::format("\"{}\" is not attached in this experiment", name),
                      {"name a configuration that has it, or touch a body of the robot"}});
    return std::nullopt;
  }
  return TouchedPlace{{.link = attached->link,
                       .body = -1,
                       .name = name,
                       .carries_frame = false,
                       .R_LB = attached->R_LA,
                       .p_LB_L = attached->p_LA_L,
                       .inertia = {}},
                      true};
}

std::vector<Issue> CheckEnvironment(const EnvironmentOptions& options, const std::string& where,
                                    const Robot& robot, int configuration,
                                    std::optional<double> step_s) {
  std::vector<Issue> issues;
  for (std::size_t k = 0; k < options.touches.size(); ++k) {
    const std::string at = fmt::format("{}/touches/{}", where, k);
    TouchedPlaceOf(LinkOf(options.touches[k]), robot, configuration, at + "/link", issues);
    const auto* const push = std::get_if<PushOptions>(&options.touches[k]);
    if (push == nullptr || !step_s) continue;
    const double least_s = kLeastPushSteps * *step_s;
    if (push->duration_s >= least_s * (1.0 - 1e-9)) continue;
    issues.push_back(
        {at + "/duration_s",
         fmt::format("{} s are {:.3g} steps of the plant, too few to follow half a sine",
                     push->duration_s, push->duration_s / *step_s),
         {fmt::format("accepted here: at least {:.6g} s", least_s),
          "or make /plant/timestep_s smaller"}});
  }
  for (std::size_t k = 0; k < options.walls.size(); ++k) {
    const std::string at = fmt::format("{}/walls/{}", where, k);
    TouchedPlaceOf(options.walls[k].link, robot, configuration, at + "/link", issues);
    if (step_s) continue;
    issues.push_back({at,
                      "an exact replay follows its motion into a wall",
                      {"set the control to one that gives way: computed_torque or pd_gravity"}});
  }
  if (options.motor_noise) {
    const std::size_t given = options.motor_noise->std_nm.values.size();
    const auto motors = static_cast<std::size_t>(robot.model.actuation().B.cols());
    if (given != 1 && given != motors) {
      issues.push_back({where + "/motor_noise/std_nm",
                        fmt::format("got a list of {}, the robot has {} motors", given, motors),
                        {"give one number for all, or one for each motor"}});
    }
  }
  return issues;
}

}  // namespace idbench
