#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "scenarios/motion/trajectory/lagged_step.h"
#include "scenarios/motion/trajectory/pose.h"
#include "scenarios/motion/trajectory/random_points.h"
#include "scenarios/options/name_pattern.h"

namespace idbench {
namespace {

constexpr double kShortestMove = 1e-3;    // [s]: bounds the number of moves
constexpr double kLeastLagPerMove = 1.0;  // rT, below which LaggedStep loses digits

/// Appends an issue unless there are two numbers, the least first.
void CheckSpan(const std::vector<double>& span, const std::string& where,
               std::vector<Issue>& issues) {
  if (span.size() != 2) {
    issues.push_back({where,
                      fmt::format("got a list of {}", span.size()),
                      {"accepted here: the least and the greatest duration"}});
  } else if (span[0] > span[1]) {
    issues.push_back(
        {where,
         fmt::format("the least duration {} is above the greatest {}", span[0], span[1]),
         {"accepted here: the least duration first"}});
  }
}

void CheckLag(const RandomPointOptions& options, std::vector<Issue>& issues) {
  if (options.lag_rad_s.has_value() != options.lag_damping_ratio.has_value()) {
    const bool undamped = options.lag_rad_s.has_value();
    issues.push_back(
        {undamped ? "/lag_damping_ratio" : "/lag_rad_s",
         fmt::format("missing, but {} is given", undamped ? "lag_rad_s" : "lag_damping_ratio"),
         {"a lag has both"}});
    return;
  }
  if (!options.lag_rad_s || options.move_s.empty()) return;
  const std::vector<double>& rates = options.lag_rad_s->values;
  const std::vector<double>& dampings = options.lag_damping_ratio->values;
  if (rates.empty() || dampings.empty()) return;
  for (std::size_t j = 0; j < std::max(rates.size(), dampings.size()); ++j) {
    const double rate = rates[std::min(j, rates.size() - 1)];
    const double damping = dampings[std::min(j, dampings.size() - 1)];
    const double slowest = SlowestRate(rate, damping);
    if (slowest * options.move_s[0] >= kLeastLagPerMove) continue;
    issues.push_back(
        {"/lag_rad_s",
         fmt::format("{} rad/s with a damping ratio of {} is slower than moves of {} s, so that "
                     "joints would not follow them",
                     rate, damping, options.move_s[0]),
         {fmt::format("accepted here: at least {:.4g}",
                      kLeastLagPerMove / options.move_s[0] * rate / slowest)}});
    return;
  }
}

/// Refuses a bound that is not in the joint's range.
void CheckBound(const RobotModel& model, const std::optional<PerJoint>& bound, int joint,
                const std::string& where, std::vector<Issue>& issues) {
  if (!bound) return;
  const double value = (*bound)[static_cast<std::size_t>(joint)];
  const double lower = model.limits().lower[joint], upper = model.limits().upper[joint];
  if (value >= lower && value <= upper) return;
  issues.push_back(
      {bound->values.size() == 1 ? where : fmt::format("{}/{}", where, joint),
       fmt::format("got {}, out of the range of joint '{}'", value, model.link(joint).joint),
       {fmt::format("accepted here: {} to {}", lower, upper)}});
}

void CheckLeastStep(const RobotModel& model, const RandomPointOptions& options,
                    const PointRange& range, const std::string& where, std::vector<Issue>& issues) {
  const std::string at = where + "/least_step_joints";
  if (!options.least_step_joints.empty()) {
    const std::size_t before = issues.size();
    ExpandPatternAmong(options.least_step_joints, model.joint_names(), "the robot", at, issues);
    if (issues.size() > before) return;
  }
  if (options.least_step_rad == 0.0) {
    if (options.least_step_joints.empty()) return;
    issues.push_back({where + "/least_step_rad",
                      "missing, but least_step_joints is given",
                      {"say by how much one of these joints moves at least"}});
    return;
  }
  double widest = 0.0;
  for (const int j : StepJoints(model, options)) {
    widest = std::max(widest, range.upper[j] - range.lower[j]);
  }
  // From the middle of its range no joint can move further.
  if (options.least_step_rad < 0.5 * widest) return;
  issues.push_back({where + "/least_step_rad",
                    fmt::format("got {}, but no joint can move that far from the middle of the "
                                "range of its points",
                                options.least_step_rad),
                    {fmt::format("accepted here: less than {:.4g}", 0.5 * widest)}});
}

}  // namespace

PointRange RangeOfPoints(const RobotModel& model, const RandomPointOptions& options) {
  PointRange range{Eigen::VectorXd(model.dofs()), Eigen::VectorXd(model.dofs())};
  for (int j = 0; j < model.dofs(); ++j) {
    const auto [lower, upper] = PositionRange(model, j);
    const double margin = 0.5 * (1.0 - options.range_fraction) * (upper - lower);
    const auto joint = static_cast<std::size_t>(j);
    range.lower[j] = options.lower_rad ? (*options.lower_rad)[joint] : lower + margin;
    range.upper[j] = options.upper_rad ? (*options.upper_rad)[joint] : upper - margin;
  }
  return range;
}

std::vector<int> StepJoints(const RobotModel& model, const RandomPointOptions& options) {
  std::string problem;
  const std::vector<std::string> named = ExpandPattern(options.least_step_joints, problem);
  std::vector<int> joints;
  for (int j = 0; j < model.dofs(); ++j) {
    const bool counts = options.least_step_joints.empty() ||
                        std::ranges::find(named, model.link(j).joint) != named.end();
    if (counts) joints.push_back(j);
  }
  return joints;
}

FieldTable Visit(RandomPointOptions& options) {
  FieldTable table;
  table
      .Add("duration_s", options.duration_s,
           {.doc = "Duration of the experiment, which may end within a move",
            .unit = "s",
            .lower = 0,
            .lower_open = true})
      .Add("lower_rad", options.lower_rad,
           {.doc = "Lower bound of the points, for all joints or a list with one each, in m for a "
                   "prismatic joint; null: by range_fraction",
            .unit = "rad"})
      .Add("upper_rad", options.upper_rad,
           {.doc = "Upper bound of the points, likewise", .unit = "rad"})
      .Add("range_fraction", options.range_fraction,
           {.doc = "Fraction of each joint's position range, about its middle, that points lie in "
                   "where lower_rad or upper_rad does not say it",
            .lower = 0,
            .upper = 1,
            .lower_open = true})
      .Add("move_s", options.move_s,
           {.doc = "Least and greatest duration of a move; uniform",
            .unit = "s",
            .lower = kShortestMove})
      .Add("dwell_s", options.dwell_s,
           {.doc = "Least and greatest rest in a point before the next move; uniform",
            .unit = "s",
            .lower = 0})
      .Add("least_step_rad", options.least_step_rad,
           {.doc = "Distance that at least one joint moves from each point to the next, in m for a "
                   "prismatic joint",
            .unit = "rad",
            .lower = 0})
      .Add("least_step_joints", options.least_step_joints,
           {.doc = "Joints of which one has to move that far, as a pattern (\"joint{1..4}\"); "
                   "empty: all"})
      .Add("lag_rad_s", options.lag_rad_s,
           {.doc = "Natural frequency ω of the lag with which joints follow the moves, "
                   "q̈ = ω²(q_d − q) − 2ζωq̇, for all joints or a list with one each; null: none",
            .unit = "rad/s",
            .lower = 0,
            .lower_open = true})
      .Add("lag_damping_ratio", options.lag_damping_ratio,
           {.doc = "Damping ratio ζ of that lag, likewise", .lower = 0, .lower_open = true})
      .Add("velocity_limits", options.velocity_limits,
           {.doc = "Keep within the robot's velocity limits"})
      .Add("acceleration_limits", options.acceleration_limits,
           {.doc = "Keep within the robot's acceleration limits"})
      .Add("stream", options.stream,
           {.doc = "Name that keys the random points and durations; experiments with different "
                   "names move differently"})
      .Add(
          "draw", options.draw,
          {.doc =
               "One motion for all trials of a cell (cell), or another one in every trial (trial)"})
      .Check([&options](std::vector<Issue>& issues) {
        CheckSpan(options.move_s, "/move_s", issues);
        CheckSpan(options.dwell_s, "/dwell_s", issues);
        CheckLag(options, issues);
      });
  return table;
}

std::vector<Issue> CheckRandomPoints(const RobotModel& model, const RandomPointOptions& options,
                                     const std::string& where) {
  std::vector<Issue> issues;
  const auto check_size = [&](const std::optional<PerJoint>& values, const char* key) {
    if (values) CheckPerJoint(*values, model, where + key, issues);
  };
  check_size(options.lower_rad, "/lower_rad");
  check_size(options.upper_rad, "/upper_rad");
  check_size(options.lag_rad_s, "/lag_rad_s");
  check_size(options.lag_damping_ratio, "/lag_damping_ratio");
  if (!issues.empty()) return issues;
  const PointRange range = RangeOfPoints(model, options);
  for (int j = 0; j < model.dofs(); ++j) {
    CheckBound(model, options.lower_rad, j, where + "/lower_rad", issues);
    CheckBound(model, options.upper_rad, j, where + "/upper_rad", issues);
    if (range.lower[j] <= range.upper[j]) continue;
    issues.push_back({where + (options.lower_rad ? "/lower_rad" : "/upper_rad"),
                      fmt::format("leaves no range of joint '{}': {:.4g} to {:.4g}",
                                  model.link(j).joint, range.lower[j], range.upper[j]),
                      {"accepted here: a lower bound that is not above the upper one"}});
  }
  if (issues.empty()) CheckLeastStep(model, options, range, where, issues);
  return issues;
}

}  // namespace idbench
