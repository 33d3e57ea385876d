#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "robots/dynamics/model.h"
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

/// Returns the contradictions between `options` and the robot: lists of another size, ranges that
/// are empty or not in the joint's range, joints that it does not have, and a least step that is
/// not possible from each point.
/// @param where  JSON pointer of the options.
std::vector<Issue> CheckRandomPoints(const RobotModel& model, const RandomPointOptions& options,
                                     const std::string& where);

}  // namespace idbench
