#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "robots/dynamics/actuation.h"
#include "scenarios/motion/excitation/exciting_motion.h"
#include "scenarios/motion/trajectory/pose.h"

namespace idbench {
namespace {

constexpr int kMostHarmonics = 100;
constexpr int kMostStarts = 1000;
/// A design takes time and memory in proportion to its samples and to its coefficients.
constexpr double kLongest = 600.0;       // [s]
constexpr double kLeastWayPoint = 0.05;  // [s]

void CheckKnowledge(const ExcitingMotionOptions& o, std::vector<Issue>& issues) {
  if (o.errors && o.errors->has_disturbances()) {
    if (o.criterion && *o.criterion != ExcitationCriterion::kLogDet) {
      issues.push_back({"/errors",
                        fmt::format("knows of more than white noise, which \"{}\" takes no account "
                                    "of",
                                    ToString(*o.criterion)),
                        {"take the criterion \"jd\", or leave offset_std_nm, "
                         "cogging_amplitude_nm and stribeck_excess_nm out"}});
    }
    const auto placed = o.design.placed_equations();
    if (std::ranges::find(placed, PlacedEquation(Equation::kTorque)) == placed.end()) {
      issues.push_back({"/errors",
                        "knows of errors of joint torques, which are no rows of design",
                        {"name \"joint_torque\" among the equations of design"}});
    }
  }
  if (!o.prior_std.empty() && !o.errors) {
    issues.push_back({"/prior_std",
                      "is weighed against errors of the rows, and there are none",
                      {"state \"errors\": {\"noise_std_nm\": …} too"}});
  }
  if (o.torque_sigmas > 0.0 && o.prior_std.empty()) {
    issues.push_back({"/torque_sigmas",
                      "counts standard deviations of a prior, and there is none",
                      {"state \"prior_std\": {\"body\": 0.1} or the like"}});
  }
  if (o.torque_sigmas > 0.0 && !o.torque_limits) {
    issues.push_back({"/torque_sigmas", "is for torque_limits, which is false", {}});
  }
}

void CheckOptions(const ExcitingMotionOptions& o, std::vector<Issue>& issues) {
  CheckKnowledge(o, issues);
  const auto* spline = std::get_if<SplineCurveOptions>(&o.curve);
  if (spline != nullptr && spline->waypoint_s > o.duration_s) {
    issues.push_back({"/curve/waypoint_s",
                      fmt::format("{} s is longer than the motion", spline->waypoint_s),
                      {fmt::format("accepted here: at most duration_s, {}", o.duration_s)}});
  }
  const auto* fourier = std::get_if<FourierCurveOptions>(&o.curve);
  if (fourier != nullptr && fourier->rest && fourier->harmonics < 2) {
    issues.push_back({"/curve/harmonics",
                      "a series of one harmonic that is at rest at its ends does not move",
                      {"give at least 2, or set rest to false"}});
  }
}

/// Where limits are written, with an example.
std::vector<std::string> HowToLimit(const RobotModel& model, const std::string& joint) {
  return {
      "a URDF states them itself: <limit … effort=\"40\" velocity=\"2\"/> in each <joint>",
      "for any model file, write a robot.json beside it that names it, or add \"joints\" to the "
      "one that is there:",
      fmt::format(R"(  {{"name": "{0}", "title": "{0}", "model": "NAME OF THE MODEL FILE",)",
                  model.name()),
      fmt::format(R"(   "joints": {{"{}": {{"velocity_limit_rad_s": 2, )"
                  R"("acceleration_limit_rad_s2": 10}}}}}})",
                  joint),
      "one limit is enough for a joint: of velocity, of acceleration, or of torque where "
      "torque_limits counts it"};
}

}  // namespace

FieldTable Visit(SplineCurveOptions& options) {
  FieldTable table;
  table.Add("waypoint_s", options.waypoint_s,
            {.doc = "Distance in time of the way points, the unknowns; rounded so that a whole "
                    "number makes the duration",
             .unit = "s",
             .lower = kLeastWayPoint});
  return table;
}

FieldTable Visit(FourierCurveOptions& options) {
  FieldTable table;
  table
      .Add("harmonics", options.harmonics,
           {.doc = "Number of harmonics; the period is the duration",
            .lower = 1,
            .upper = kMostHarmonics})
      .Add("rest", options.rest,
           {.doc = "Begin and end at rest, which takes two of the unknowns of a joint; otherwise "
                   "the experiment starts in the motion, at speed"});
  return table;
}

FieldTable Visit(LagrangianOptions& options) {
  FieldTable table;
  table
      .Add("rounds", options.rounds,
           {.doc = "Rounds; between them limits are weighted anew", .lower = 1, .upper = 100})
      .Add("evaluations", options.evaluations,
           {.doc = "Evaluations of a round, at most", .lower = 1, .upper = 100000})
      .Add("penalty", options.penalty,
           {.doc = "Weight of squared constraints in the first round",
            .lower = 0,
            .lower_open = true})
      .Add("growth", options.growth, {.doc = "Factor on it from round to round", .lower = 1})
      .Add("memory", options.memory,
           {.doc = "Pairs of steps that L-BFGS keeps", .lower = 1, .upper = 1000});
  return table;
}

FieldTable Visit(ExcitingMotionOptions& o) {
  FieldTable table;
  table
      .Add(
          "criterion", o.criterion,
          {.doc = "Criterion that is to be least, of the rows W of design on the motion at 100 Hz: "
                  "jd = -ln det W'W, jh = -ln of the product of its diagonal, jc = condition "
                  "number of W, log_cond its logarithm, scaled_cond that of W with columns of "
                  "norm 1; null: a random motion"})
      .Add("curve", o.curve, {.doc = "Form of the motion"})
      .Add("duration_s", o.duration_s,
           {.doc = "Duration of the motion",
            .unit = "s",
            .lower = 0,
            .upper = kLongest,
            .lower_open = true})
      .Add("design", o.design, {.doc = "Parameters that the motion is to show"})
      .Add("errors", o.errors,
           {.doc = "Errors that are known to the design alone, of rows that will be measured: they "
                   "weigh rows, and a motion is sought on which they do least harm; null: all rows "
                   "count alike"})
      .Add("prior_std", o.prior_std,
           {.doc = "Knowledge before any data, which is added to that of the rows: standard "
                   "deviations by kind or name of a parameter (fv, fc, m …), in its unit, or of a "
                   "body or \"body\" as a whole, relative; null or left out: nothing is known",
            .lower = 0,
            .lower_open = true})
      .Add("given", o.given,
           {.doc = "Labels of experiments that stand before this one: what their motions show of "
                   "design counts as known"})
      .Add("starts", o.starts,
           {.doc = "Random motions to begin with, of which the best result is taken",
            .lower = 1,
            .upper = kMostStarts})
      .Add("amplitude_fraction", o.amplitude_fraction,
           {.doc = "Fraction of each joint's range that random motions may use, about their centre",
            .lower = 0,
            .upper = 1,
            .lower_open = true})
      .Add("centre_q_rad", o.centre_q_rad,
           {.doc = "Centre of random motions, one number per joint, in m for a prismatic joint; "
                   "null: the middle of each range",
            .unit = "rad"})
      .Add("margin", o.margin,
           {.doc = "Fraction of ranges, speeds, accelerations and torques that the design uses",
            .lower = 0,
            .upper = 1,
            .lower_open = true})
      .Add("torque_limits", o.torque_limits,
           {.doc = "Keep within the robot's torques, by its nominal parameters"})
      .Add("torque_sigmas", o.torque_sigmas,
           {.doc = "Standard deviations of the torque by prior_std that are kept free beside it, "
                   "for robots that are not the nominal one",
            .lower = 0})
      .Add("self_collision", o.self_collision,
           {.doc = "Keep spheres of the robot apart, see \"collision\" of robot.json"})
      .Add("floor_m", o.floor_m,
           {.doc = "Height above which the centres of the robot's spheres stay, along z of the "
                   "base; null: no floor",
            .unit = "m"})
      .Add("clearance_m", o.clearance_m,
           {.doc = "Distance beside, from the floor and between spheres, that the design keeps",
            .unit = "m",
            .lower = 0})
      .Add("rate_hz", o.rate_hz,
           {.doc = "Rate of the samples at which the optimiser looks at the motion",
            .unit = "Hz",
            .lower = 1,
            .upper = kLimitRateHz})
      .Add("optimiser", o.optimiser, {.doc = "Rounds of the augmented Lagrangian"})
      .Add("stream", o.stream,
           {.doc = "Name that keys random numbers; experiments with different names move "
                   "differently"})
      .Add("draw", o.draw,
           {.doc = "One motion for all trials of a cell (cell), or another one in every trial "
                   "(trial)"})
      .Check([&o](std::vector<Issue>& issues) { CheckOptions(o, issues); });
  return table;
}

std::vector<Issue> CheckExcitingMotion(const ExcitingMotionOptions& options,
                                       const RobotModel& model, const std::string& where) {
  std::vector<Issue> issues;
  if (options.centre_q_rad)
    CheckPose(*options.centre_q_rad, model, where + "/centre_q_rad", issues);
  if (options.errors) {
    std::ranges::move(CheckDesignErrors(*options.errors, model, where + "/errors"),
                      std::back_inserter(issues));
  }
  const JointLimits& limits = model.limits();
  const std::vector<std::string> undriven = UndrivenJoints(model);  // which its control refuses
  std::vector<std::string> free;
  for (int j = 0; j < model.dofs(); ++j) {
    const std::string& joint = model.link(j).joint;
    const bool held = std::isfinite(limits.velocity[j]) || std::isfinite(limits.acceleration[j]) ||
                      (options.torque_limits && std::isfinite(limits.effort[j]));
    if (!held && std::ranges::find(undriven, joint) == undriven.end()) free.push_back(joint);
  }
  if (!free.empty()) {
    issues.push_back(
        {where,
         fmt::format("nothing limits how fast these joints may move: {}", fmt::join(free, ", ")),
         HowToLimit(model, free.front())});
  }
  if (options.floor_m && model.collision().above_floor.empty()) {
    issues.push_back({where + "/floor_m",
                      "is given, and no sphere of the robot has to stay above a floor",
                      {"name some in \"collision\"/\"above_floor\" of its robot.json"}});
  }
  return issues;
}

}  // namespace idbench
