#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/rollouts/motion_design.h"
#include "robots/plant/motion.h"
#include "robots/robot.h"

namespace idbench {

/// Greatest use of a joint's limits by a motion, as a fraction; nothing where there is no limit.
struct UsedLimits {
  std::string joint;
  std::optional<double> position = {};  ///< Of half the range, from its middle.
  std::optional<double> velocity = {}, acceleration = {}, torque = {};
  /// What these are fractions of the limits of, as printed with units: "1.2 rad/s".
  std::string position_text = {}, velocity_text = {}, acceleration_text = {}, torque_text = {};
};

/// A distance that a motion comes to, and where.
struct NearestPlace {
  std::string what;
  double distance_m = 0.0;  ///< Between surfaces of spheres, or height of a centre.
};

/// How well a motion shows parameters, and what it asks of the robot.
struct MotionReview {
  double duration_s = 0.0;
  std::vector<std::string> design;     ///< How it came about, see DesignSentences().
  std::vector<std::string> equations;  ///< Of the rows.
  int columns = 0;
  /// By name, as in scenarios: of the rows at kCriterionRateHz, see CriterionOf().
  std::vector<std::pair<std::string_view, double>> criteria;
  double without_time = 0.0;  ///< J_d + N·ln T: J_d without what a longer recording adds.
  /// J_d below which no motion of that duration can be, see BoundOfMotions(), and in place of it
  /// why that cannot be told; both empty if nobody asked.
  std::optional<double> least_jd;
  std::string no_least_jd;
  std::vector<UsedLimits> used;         ///< Of each joint, at kLimitRateHz.
  std::optional<NearestPlace> nearest;  ///< Of all pairs of spheres that may not meet.
  std::optional<NearestPlace> lowest;   ///< Of spheres that have to stay above a floor.
  /// States and the torques that they take of the nominal robot, N × n, at kLimitRateHz.
  Eigen::VectorXd time_s;
  Eigen::MatrixXd q, qd, qdd, tau;
};

/// Looks at a motion.
/// @param robot  of which the nominal set makes the torques. @param shown  what it is to show.
/// @param histories  of its exciting parts.
MotionReview ReviewMotion(const Robot& robot, const ShownParameters& shown, int configuration,
                          const Motion& motion, const std::vector<DesignedPart>& histories = {});

/// Looks for the least J_d of any motion of that duration: takes seconds.
/// @param review  of `motion`, which gets it.
void BoundReview(const Robot& robot, const ShownParameters& shown, int configuration,
                 MotionReview& review);
/// Returns how far from that the motion is, in one sentence; "" if nobody asked.
std::string BoundSentence(const MotionReview& review);

/// Returns the review as text for a terminal.
std::string ReviewText(const MotionReview& review);

/// Returns sentences on limits: which the motion reaches or exceeds, and which joints have none of
/// velocity.
std::vector<std::string> LimitSentences(const MotionReview& review);

/// Returns the motion as a table for a robot's controller, and as the file of a `recorded` motion:
/// time, positions, velocities and accelerations in columns named with units, `q1_rad`, `qd1_rad_s`
/// and `qdd1_rad_s2`, of a prismatic joint `q1_m` and so on. The last sample is the motion's end.
std::string MotionCsv(const Robot& robot, const Motion& motion, double rate_hz);

}  // namespace idbench
