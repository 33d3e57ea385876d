#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "robots/dynamics/model.h"
#include "scenarios/motion/trajectory/point_to_point.h"
#include "scenarios/options/draw.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Options of a PointToPointMotion between random points.
struct RandomPointOptions {
  static constexpr std::string_view kType = "random_points";
  double duration_s = 10.0;
  std::optional<PerJoint> lower_rad = std::nullopt;
  std::optional<PerJoint> upper_rad = std::nullopt;
  double range_fraction = 0.9;
  std::vector<double> move_s = {1.0, 2.0};   ///< Least and greatest.
  std::vector<double> dwell_s = {0.2, 0.8};  ///< Likewise.
  double least_step_rad = 0.0;
  std::string least_step_joints = {};  ///< Pattern; "": all.
  std::optional<PerJoint> lag_rad_s = std::nullopt;
  std::optional<PerJoint> lag_damping_ratio = std::nullopt;
  bool velocity_limits = true;
  bool acceleration_limits = true;
  std::string stream = "identification";
  Draw draw = Draw::kCell;

  bool operator==(const RandomPointOptions&) const = default;
};
/// The table refuses spans that are not two numbers in order, half a lag, and one that is slower
/// than the moves.
FieldTable Visit(RandomPointOptions& options);

/// Range of the points of each joint, n each [rad or m].
struct PointRange {
  Eigen::VectorXd lower, upper;
};

/// Returns the bounds that `options` state and, where they do not, those of the middle
/// `range_fraction` of PositionRange().
PointRange RangeOfPoints(const RobotModel& model, const RandomPointOptions& options);

/// Returns the joints of which one has to move by the least step.
std::vector<int> StepJoints(const RobotModel& model, const RandomPointOptions& options);

/// Draws the motion of `options`.
///
/// Points are uniform in RangeOfPoints(), durations of moves and rests between their bounds. A move
/// is drawn anew, with its point and both durations, until
/// - one of `least_step_joints` moves by at least `least_step_rad`,
/// - the robot keeps the joints' ranges and, unless switched off, their velocity and acceleration
///   limits during the move and the rest after it. With a lag that is looked at on a grid, which
///   misses a peak by 0.1 % at most, and the robot may swing past the range of the points, but not
///   past that of the joint.
/// So what breaks a limit is left out, and the other moves keep their distribution. Moves are drawn
/// until `duration_s` is full, and it ends the motion where it is: a shorter motion is the
/// beginning of a longer one.
///
/// @param trial  ignored if `options.draw` is kCell; −1 keys those draws.
/// @throws PlantError, naming what hinders most, if none of 10000 draws of a move will do.
/// @throws std::invalid_argument if CheckRandomPoints() finds an issue.
PointToPointMotion DrawRandomPoints(const RobotModel& model, const RandomPointOptions& options,
                                    std::uint64_t seed, std::int64_t trial);

/// Returns the contradictions between `options` and the robot: lists of another size, ranges that
/// are empty or not in the joint's range, joints that it does not have, and a least step that is
/// not possible from each point.
/// @param where  JSON pointer of the options.
std::vector<Issue> CheckRandomPoints(const RobotModel& model, const RandomPointOptions& options,
                                     const std::string& where);

}  // namespace idbench
