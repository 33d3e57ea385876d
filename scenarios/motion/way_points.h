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

/// From point to point on straight lines of joint space, at rest in each: with p_k the points, in
/// the k-th segment, t since its begin and s the quintic step of its duration,
///   q(t) = p_k + s(t)·(p_(k+1) − p_k)
/// and its exact derivatives: twice continuously differentiable, 0 speed and acceleration in the
/// points, where it dwells.
class WayPointMotion : public Motion {
 public:
  /// @param points     at least one, n each. @param segment_s  durations between them, one less.
  /// @param dwell_s    rest in every point, the first and the last one included.
  /// @throws std::invalid_argument for sizes that contradict each other, negative durations, or
  ///         none at all.
  WayPointMotion(std::vector<Eigen::VectorXd> points, std::vector<double> segment_s,
                 double dwell_s);

  double duration_s() const override { return duration_s_; }
  /// Allocates nothing.
  void Evaluate(double t, JointState& desired) const override;

 private:
  std::vector<Eigen::VectorXd> points_;
  std::vector<double> segment_s_;
  std::vector<double> begins_;  ///< When each segment leaves its first point [s].
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
/// Refuses points of different sizes, another number of durations, and a motion that takes no time.
FieldTable Visit(WayPointOptions& options);

/// The motion of `options`. Where it states no durations, each segment is as brief as
/// `limit_fraction` of the robot's velocity and acceleration limits allow:
///   T = max over joints of max(15/8·|Δq|/(f·v), √(10/√3·|Δq|/(f·a))).
/// @throws std::invalid_argument if CheckWayPoints() finds an issue.
WayPointMotion MakeWayPointMotion(const RobotModel& model, const WayPointOptions& options);

/// What contradicts the robot: points of another size or out of range, a joint that moves without
/// limits or durations, durations for which limits are too low. @param where  JSON pointer.
std::vector<Issue> CheckWayPoints(const RobotModel& model, const WayPointOptions& options,
                                  const std::string& where);

}  // namespace idbench
