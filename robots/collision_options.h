#pragma once

#include <optional>
#include <string>
#include <vector>

#include "robots/robot.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Sphere fixed to a body of the model file.
struct CollisionSphereOptions {
  std::string link;
  std::vector<double> centre_m = {0.0, 0.0, 0.0};  ///< In the frame of that body.
  double radius_m = 0.0;

  bool operator==(const CollisionSphereOptions&) const = default;
};
FieldTable Visit(CollisionSphereOptions& options);

/// Spheres of a robot, see CollisionModel.
struct CollisionOptions {
  std::string source;
  Labelled<CollisionSphereOptions> spheres;                    ///< By name.
  std::optional<std::vector<std::vector<std::string>>> pairs;  ///< Absent: DefaultPairs().
  std::optional<std::vector<std::string>> above_floor;         ///< Absent: DefaultAboveFloor().

  bool operator==(const CollisionOptions&) const = default;
};
FieldTable Visit(CollisionOptions& options);

/// Gives a robot these spheres in place of those that it has. A sphere may be on the base, on any
/// link, and on any body of the model file that is fused into one of these.
///
/// Appends an issue, and leaves the robot's spheres, for an unknown body or sphere, a sphere
/// without a name, and a pair that is not of two spheres or that is there already.
/// @param where  JSON pointer of `options`.
void SetCollision(const CollisionOptions& options, const std::string& where, Robot& robot,
                  std::vector<Issue>& issues);

/// Returns what SetCollision() makes the model's spheres, pairs and all, of.
CollisionOptions OptionsOfCollision(const RobotModel& model);

}  // namespace idbench
