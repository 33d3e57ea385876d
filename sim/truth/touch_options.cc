#include "sim/truth/touch_options.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <iterator>

#include "robots/dynamics/kinematics.h"
#include "robots/pose_options.h"

namespace idbench {
namespace {

/// A drawn touch may be no shorter [s]: their number is bounded by the experiment's duration.
constexpr double kShortestDrawn = 1e-3;

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
           {.doc = "Radius of the cylinder",
            .unit = "m",
            .lower = 0,
            .upper = kWidestLink,
            .required = true})
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

std::string Describe(const TouchEventOptions& touch) {
  return std::visit([](const auto& each) { return TextOfTouch(each); }, touch);
}

const std::string& LinkOf(const TouchEventOptions& touch) {
  return std::visit([](const auto& each) -> const std::string& { return each.link; }, touch);
}

}  // namespace idbench
