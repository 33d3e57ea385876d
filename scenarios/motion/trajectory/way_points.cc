#include "scenarios/motion/trajectory/way_points.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "scenarios/motion/trajectory/pose.h"
#include "scenarios/motion/trajectory/quintic.h"

namespace idbench {
namespace {

constexpr double kDurationRounding = 1e-9;  // of a duration that is just long enough

bool AllNotNegative(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return value >= 0.0; });
}

/// The briefest time for a joint's way within `fraction` of its limits; 0 where none binds.
double LeastDuration(const RobotModel& model, const WayPointOptions& options, int joint,
                     double distance, double fraction) {
  double least = 0.0;
  if (options.velocity_limits) {
    least = kQuinticPeakSpeed * distance / (fraction * model.limits().velocity(joint));
  }
  if (options.acceleration_limits) {
    least = std::max(least, std::sqrt(kQuinticPeakAcceleration * distance /
                                      (fraction * model.limits().acceleration(joint))));
  }
  return least;
}

double Distance(const WayPointOptions& options, std::size_t segment, int joint) {
  const auto j = static_cast<std::size_t>(joint);
  return std::abs(options.points_rad[segment + 1][j] - options.points_rad[segment][j]);
}

/// A segment whose duration is stated, or has to follow from the limits.
void CheckSegment(const RobotModel& model, const WayPointOptions& options, std::size_t segment,
                  const std::string& where, std::vector<Issue>& issues) {
  for (int j = 0; j < model.dofs(); ++j) {
    const double distance = Distance(options, segment, j);
    const double least = LeastDuration(model, options, j, distance, 1.0);
    const std::string& joint = model.link(j).joint;
    if (options.segment_s) {
      const double stated = (*options.segment_s)[segment];
      const bool jumps = stated == 0.0 && distance > 0.0;
      if (!jumps && stated >= least * (1.0 - kDurationRounding)) continue;
      issues.push_back(
          {fmt::format("{}/segment_s/{}", where, segment),
           fmt::format("{} s is too short for joint '{}' to move by {:.6g}", stated, joint,
                       distance),
           {jumps && least == 0.0
                ? "accepted here: more than 0"
                : fmt::format("the limits of the joint require at least {:.6g} s; velocity_limits "
                              "and acceleration_limits switch them off",
                              least)}});
    } else if (distance > 0.0 && least == 0.0) {
      issues.push_back(
          {where + "/segment_s",
           fmt::format("missing: joint '{}' has no limit that gives a duration", joint),
           {"give the duration of each segment, or the robot velocity or "
            "acceleration limits"}});
      return;
    }
  }
}

}  // namespace

WayPointMotion::WayPointMotion(std::vector<Eigen::VectorXd> points, std::vector<double> segment_s,
                               double dwell_s)
    : points_(std::move(points)),
      segment_s_(std::move(segment_s)),
      duration_s_(std::accumulate(segment_s_.begin(), segment_s_.end(),
                                  dwell_s * static_cast<double>(points_.size()))) {
  const bool sizes = !points_.empty() && segment_s_.size() + 1 == points_.size() &&
                     std::ranges::all_of(points_, [this](const Eigen::VectorXd& point) {
                       return point.size() == points_.front().size();
                     });
  if (!sizes || !AllNotNegative(segment_s_) || !(dwell_s >= 0.0) || !(duration_s_ > 0.0)) {
    throw std::invalid_argument(
        fmt::format("WayPointMotion: {} points, segments of [{}] s, dwelling {} s: expected points "
                    "of one size, a duration between each two, and some duration",
                    points_.size(), fmt::join(segment_s_, ", "), dwell_s));
  }
  double t = dwell_s;
  for (const double duration : segment_s_) {
    begins_.push_back(t);
    t += duration + dwell_s;
  }
}

void WayPointMotion::Evaluate(double t, JointState& desired) const {
  const auto next = std::ranges::upper_bound(begins_, t);
  desired.qd.setZero();
  desired.qdd.setZero();
  if (next == begins_.begin()) {  // in the first point
    desired.q = points_.front();
    return;
  }
  const auto k = static_cast<std::size_t>(next - begins_.begin() - 1);
  const QuinticStep step = EvaluateQuinticStep(t - begins_[k], segment_s_[k]);
  if (step.s == 1.0) {  // the point itself, without rounding
    desired.q = points_[k + 1];
    return;
  }
  desired.q = points_[k] + step.s * (points_[k + 1] - points_[k]);
  desired.qd = step.ds * (points_[k + 1] - points_[k]);
  desired.qdd = step.dds * (points_[k + 1] - points_[k]);
}

void WayPointMotion::Describe(CanonicalText& text) const {
  text.Add("kind", "way_points");
  for (const Eigen::VectorXd& point : points_) text.Add("point", point);
  for (const double duration : segment_s_) text.Add("segment_s", duration);
  for (const double begin : begins_) text.Add("begin", begin);
  text.Add("duration_s", duration_s_);
}

FieldTable Visit(WayPointOptions& options) {
  FieldTable table;
  table
      .Add("points_rad", options.points_rad,
           {.doc = "Poses, each a list with one number per joint, in m for a prismatic joint; a "
                   "single pose with dwell_s is rest",
            .unit = "rad",
            .required = true})
      .Add("segment_s", options.segment_s,
           {.doc = "Duration of each segment from a point to the next; null: as short as "
                   "limit_fraction of the limits allows",
            .unit = "s",
            .lower = 0})
      .Add("dwell_s", options.dwell_s,
           {.doc = "Rest in every point, including the first and the last; to rest in one point "
                   "alone, list it twice and give the segment between the two its duration",
            .unit = "s",
            .lower = 0})
      .Add("limit_fraction", options.limit_fraction,
           {.doc = "Fraction of the velocity and acceleration limits to use if segment_s is null",
            .lower = 0,
            .upper = 1,
            .lower_open = true})
      .Add("velocity_limits", options.velocity_limits,
           {.doc = "Keep within the robot's velocity limits"})
      .Add("acceleration_limits", options.acceleration_limits,
           {.doc = "Keep within the robot's acceleration limits"})
      .Check([&options](std::vector<Issue>& issues) {
        const std::size_t points = options.points_rad.size();
        if (points == 0) {
          issues.push_back({"/points_rad", "is empty", {"give at least one pose"}});
        } else if (options.segment_s && options.segment_s->size() != points - 1) {
          issues.push_back(
              {"/segment_s",
               fmt::format("got a list of {} for {} points", options.segment_s->size(), points),
               {fmt::format("accepted here: a list of {}", points - 1)}});
        } else if (points == 1 && options.dwell_s == 0.0) {
          issues.push_back(
              {"/dwell_s", "a single point takes no time", {"give it a dwell_s above 0"}});
        }
      });
  return table;
}

std::vector<Issue> CheckWayPoints(const RobotModel& model, const WayPointOptions& options,
                                  const std::string& where) {
  std::vector<Issue> issues;
  for (std::size_t k = 0; k < options.points_rad.size(); ++k) {
    CheckPose(options.points_rad[k], model, fmt::format("{}/points_rad/{}", where, k), issues);
  }
  if (!issues.empty()) return issues;
  double duration_s = options.dwell_s;
  for (std::size_t k = 0; k + 1 < options.points_rad.size() && issues.empty(); ++k) {
    CheckSegment(model, options, k, where, issues);
    for (int j = 0; j < model.dofs(); ++j) duration_s += Distance(options, k, j);
    if (options.segment_s) duration_s += (*options.segment_s)[k];
  }
  if (issues.empty() && duration_s == 0.0) {
    issues.push_back({where, "takes no time: all points are the same", {"give a dwell_s above 0"}});
  }
  return issues;
}

WayPointMotion MakeWayPointMotion(const RobotModel& model, const WayPointOptions& options) {
  const std::vector<Issue> issues = CheckWayPoints(model, options, "");
  if (!issues.empty()) {
    throw std::invalid_argument(ConfigError("MakeWayPointMotion", issues).what());
  }
  std::vector<Eigen::VectorXd> points;
  for (const std::vector<double>& point : options.points_rad) {
    points.push_back(ToVector(point));
  }
  std::vector<double> segments;
  if (options.segment_s) {
    segments = *options.segment_s;
  } else {
    for (std::size_t k = 0; k + 1 < points.size(); ++k) {
      double least = 0.0;
      for (int j = 0; j < model.dofs(); ++j) {
        least = std::max(least, LeastDuration(model, options, j, Distance(options, k, j),
                                              options.limit_fraction));
      }
      segments.push_back(least);
    }
  }
  return {std::move(points), std::move(segments), options.dwell_s};
}

}  // namespace idbench
