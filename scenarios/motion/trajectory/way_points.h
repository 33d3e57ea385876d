#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "robots/dynamics/model.h"
#include "robots/plant/motion.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Motion from point to point on straight lines of joint space, at rest in each: with p_k the
/// points and, in segment k, t the time since its beginning and s the quintic step of its duration,
///   q(t) = p_k + s(t)·(p_(k+1) − p_k)
/// and its exact derivatives. Twice continuously differentiable, with zero speed and acceleration
/// at the points, where it dwells.
class WayPointMotion : public Motion {
 public:
  /// @param points     at least one, n each.
  /// @param segment_s  durations of the segments, one less than points.
  /// @param dwell_s    rest at every point, the first and the last included.
  /// @throws std::invalid_argument if sizes contradict each other, a duration is negative, or the
  ///         motion takes no time.
  WayPointMotion(std::vector<Eigen::VectorXd> points, std::vector<double> segment_s,
                 double dwell_s);

  double duration_s() const override { return duration_s_; }
  /// Allocates nothing.
  void Evaluate(double t, JointState& desired) const override;
  void Describe(CanonicalText& text) const override;

 private:
  std::vector<Eigen::VectorXd> points_;
  std::vector<double> segment_s_;
  std::vector<double> begins_;  ///< Start time of each segment [s].
  double duration_s_;
};

struct WayPointOptions {
  static constexpr std::string_view kType = "way_points";
  std::vector<std::vector<double>> points_rad;
  std::optional<std::vector<double>> segment_s = std::nullopt;
  double dwell_s = 0.0;
  double limit_fraction = 0.5;
  bool velocity_limits = true;
  bool acceleration_limits = true;

  bool operator==(const WayPointOptions&) const = default;
};
/// The table refuses points of different sizes, another number of durations, and a motion that
/// takes no time.
FieldTable Visit(WayPointOptions& options);

/// Makes the motion of `options`. Without durations each segment is as brief as `limit_fraction` f
/// of the robot's velocity and acceleration limits allows:
///   T = max over joints of max(15/8·|Δq|/(f·v), √(10/√3·|Δq|/(f·a))).
/// @throws std::invalid_argument if CheckWayPoints() finds an issue.
WayPointMotion MakeWayPointMotion(const RobotModel& model, const WayPointOptions& options);

/// Returns the contradictions between `options` and the robot: points of another size or out of
/// range, a joint that moves without limits or durations, durations too short for the limits, a
/// motion that takes no time.
/// @param where  JSON pointer of the options.
std::vector<Issue> CheckWayPoints(const RobotModel& model, const WayPointOptions& options,
                                  const std::string& where);

}  // namespace idbench
