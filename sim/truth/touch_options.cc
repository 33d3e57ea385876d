#include "sim/truth/touch_options.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <iterator>

#include "robots/pose_options.h"

namespace idbench {
namespace {

/// A drawn touch may be no shorter [s]: their number is bounded by the experiment's duration.
constexpr double kShortestDrawn = 1e-3;
/// Steps of a push of which the sum is its impulse to less than 1 %: the sum of n steps of half a
/// sine is π/(2n)·cot(π/(2n)) of it, 0.992 for n = 10.
constexpr double kLeastPushSteps = 10.0;

/// Appends an issue unless there are three numbers, not all of them zero.
void CheckVector(const std::vector<double>& vector, const std::string& where, const char* what,
                 std::vector<Issue>& issues) {
  CheckThree(vector, where, issues);
  if (vector.size() != 3 || std::ranges::any_of(vector, [](double x) { return x != 0.0; })) return;
  issues.push_back({where, fmt::format("{} of zero does nothing", what), {"remove it"}});
}

/// Appends an issue unless there are two numbers, the least first.
void CheckRange(const std::vector<double>& range, const std::string& where,
                std::vector<Issue>& issues) {
  if (range.size() != 2) {
    issues.push_back({where,
                      fmt::format("got a list of {}", range.size()),
                      {"accepted here: the least and the greatest value"}});
  } else if (range[0] > range[1]) {
    issues.push_back(
        {where,
         fmt::format("the least value {} is above the greatest {}", range[0], range[1]),
         {"accepted here: the least value first"}});
  }
}

void CheckDrawn(const DrawnTouchesOptions& o, std::vector<Issue>& issues) {
  const std::size_t before = issues.size();
  CheckThree(o.axis_from_m, "/axis_from_m", issues);
  CheckThree(o.axis_to_m, "/axis_to_m", issues);
  CheckRange(o.force_n, "/force_n", issues);
  CheckRange(o.ramp_s, "/ramp_s", issues);
  CheckRange(o.hold_s, "/hold_s", issues);
  CheckRange(o.gap_s, "/gap_s", issues);
  if (issues.size() > before) return;
  if (o.axis_from_m == o.axis_to_m) {
    issues.push_back({"/axis_to_m",
                      "is axis_from_m: an axis without length has no direction",
                      {"give the other end of the cylinder's axis"}});
  }
  if (const double shortest = 2.0 * o.ramp_s[0] + o.hold_s[0]; shortest < kShortestDrawn) {
    issues.push_back(
        {"/hold_s",
         fmt::format("a touch may last {} s in all", shortest),
         {fmt::format("accepted here: two ramps and a hold of at least {} s", kShortestDrawn)}});
  }
}

FieldInfo LinkInfo() {
  return {.doc =
              "Body of the model file, or attached body of the experiment's configuration, that "
              "is touched",
          .required = true};
}
FieldInfo PointInfo() {
  return {.doc = "Point of the force, fixed in that body's frame", .unit = "m"};
}
FieldInfo AxesInfo() {
  return {.doc = "Axes in which the direction is fixed: link, those of that body, or base"};
}
FieldInfo RangeInfo(const char* what, const char* unit, bool positive = false) {
  return {.doc = fmt::format("Least and greatest {}", what),
          .unit = unit,
          .lower = 0,
          .lower_open = positive,
          .required = true};
}

double NormOf(const std::vector<double>& vector) {
  return Eigen::Map<const Eigen::VectorXd>(vector.data(), std::ssize(vector)).norm();
}

std::string TextOfTouch(const TouchOptions& o) {
  return fmt::format("{:.4g} N on {} from {:g} s to {:g} s", NormOf(o.force_n), o.link, o.from_s,
                     o.from_s + 2.0 * o.ramp_s + o.hold_s);
}
std::string TextOfTouch(const PushOptions& o) {
  return fmt::format("{:.4g} N·s on {} at {:g} s", NormOf(o.impulse_ns), o.link, o.at_s);
}
std::string TextOfTouch(const DrawnTouchesOptions& o) {
  return fmt::format("touches of {} with {:g} to {:g} N, drawn {}", o.link, o.force_n[0],
                     o.force_n[1], o.draw == Draw::kTrial ? "per trial" : "once");
}

/// The body that a touch names.
const std::string& LinkOf(const TouchEventOptions& touch) {
  return std::visit([](const auto& each) -> const std::string& { return each.link; }, touch);
}

}  // namespace

FieldTable Visit(TouchOptions& o) {
  FieldTable table;
  table.Add("link", o.link, LinkInfo())
      .Add("point_m", o.point_m, PointInfo())
      .Add("force_n", o.force_n,
           {.doc = "Force while it holds: x, y, z", .unit = "N", .required = true})
      .Add("axes", o.axes, AxesInfo())
      .Add("from_s", o.from_s,
           {.doc = "Time at which the force begins to rise",
            .unit = "s",
            .lower = 0,
            .required = true})
      .Add("ramp_s", o.ramp_s,
           {.doc = "Duration of its linear rise, and of its fall", .unit = "s", .lower = 0})
      .Add("hold_s", o.hold_s,
           {.doc = "Time for which it holds in between", .unit = "s", .lower = 0, .required = true})
      .Check([&o](std::vector<Issue>& issues) {
        CheckThree(o.point_m, "/point_m", issues);
        CheckVector(o.force_n, "/force_n", "a force", issues);
        if (o.ramp_s > 0.0 || o.hold_s > 0.0) return;
        issues.push_back({"/hold_s", "the touch lasts 0 s", {"give it a hold_s or a ramp_s"}});
      });
  return table;
}

FieldTable Visit(PushOptions& o) {
  FieldTable table;
  table.Add("link", o.link, LinkInfo())
      .Add("point_m", o.point_m, PointInfo())
      .Add("impulse_ns", o.impulse_ns,
           {.doc = "Impulse, the integral of the force over time: x, y, z",
            .unit = "N·s",
            .required = true})
      .Add("axes", o.axes, AxesInfo())
      .Add("at_s", o.at_s,
           {.doc = "Time at which the force begins", .unit = "s", .lower = 0, .required = true})
      .Add("duration_s", o.duration_s,
           {.doc = "Time that the force, half a sine, takes",
            .unit = "s",
            .lower = 0,
            .lower_open = true,
            .required = true})
      .Check([&o](std::vector<Issue>& issues) {
        CheckThree(o.point_m, "/point_m", issues);
        CheckVector(o.impulse_ns, "/impulse_ns", "an impulse", issues);
      });
  return table;
}

FieldTable Visit(DrawnTouchesOptions& o) {
  FieldTable table;
  table.Add("link", o.link, LinkInfo())
      .Add("axis_from_m", o.axis_from_m,
           {.doc = "Begin of the axis of the cylinder that is touched, in that body's frame",
            .unit = "m",
            .required = true})
      .Add("axis_to_m", o.axis_to_m, {.doc = "End of that axis", .unit = "m", .required = true})
      .Add("radius_m", o.radius_m,
           {.doc = "Radius of the cylinder", .unit = "m", .lower = 0, .required = true})
      .Add("tangential_fraction", o.tangential_fraction,
           {.doc = "Force along the cylinder's surface, in a uniform direction, per force onto it",
            .lower = 0})
      .Add("force_n", o.force_n,
           RangeInfo("magnitude of the force; it is log-uniform in between", "N", true))
      .Add("ramp_s", o.ramp_s, RangeInfo("duration of the rise, and of the fall; uniform", "s"))
      .Add("hold_s", o.hold_s, RangeInfo("time for which a force holds; uniform", "s"))
      .Add("gap_s", o.gap_s,
           RangeInfo("time before a touch, from the end of the one before; uniform", "s"))
      .Add("draw", o.draw,
           {.doc = "One draw of the touches for all trials of a cell (cell), or another one in "
                   "every trial (trial)"})
      .Check([&o](std::vector<Issue>& issues) { CheckDrawn(o, issues); });
  return table;
}

FieldTable Visit(EnvironmentOptions& o) {
  FieldTable table;
  table
      .Add("touches", o.touches,
           {.doc = "Forces on the links: single touches and pushes, and touches that are drawn"})
      .Add("contact_from_n", o.contact_from_n,
           {.doc = "Force above which metrics of detection count a sample as contact",
            .unit = "N",
            .lower = 0.0});
  return table;
}

bool DrawnPerTrial(const EnvironmentOptions& options) {
  return std::ranges::any_of(options.touches, [](const TouchEventOptions& touch) {
    const auto* const drawn = std::get_if<DrawnTouchesOptions>(&touch);
    return drawn != nullptr && drawn->draw == Draw::kTrial;
  });
}

std::vector<std::string> Describe(const EnvironmentOptions& options) {
  std::vector<std::string> texts;
  for (const TouchEventOptions& touch : options.touches) {
    texts.push_back(std::visit([](const auto& each) { return TextOfTouch(each); }, touch));
  }
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
  return issues;
}

}  // namespace idbench
