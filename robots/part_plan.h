#pragma once

#include <mujoco/mujoco.h>

#include <filesystem>
#include <string>
#include <vector>

#include "robots/robot_part.h"

namespace idbench {

/// How much of a model file is read.
enum class ModelExtent {
  kPart,        ///< What a RobotPart says.
  kRobot,       ///< The whole robot: all hinges and slides move, ball and free joints are held.
  kEverything,  ///< Likewise, with the free objects around it.
};

/// What has to be done to a parsed model so that only a part of it is left. Pointers are those of
/// the spec that it was made from.
struct PartPlan {
  /// A joint to be deleted, with its body placed where the joint holds it.
  struct Hold {
    mjsElement* joint;
    double position;  ///< [rad or m]
  };

  mjsBody* root = nullptr;          ///< The base; nullptr if the part has no root of its own.
  std::vector<mjsBody*> left_out;   ///< Each with all that it carries.
  std::vector<mjsElement*> moving;  ///< Joints, in the order of the model.
  std::vector<Hold> held;           ///< Likewise.

  std::vector<HeldJoint> held_joints;       ///< The same as `held`, for people.
  std::vector<std::string> left_out_names;  ///< Of all bodies that are left out.
  std::vector<std::string> notes;           ///< What a user should know, one sentence each.

  bool changes_nothing() const { return root == nullptr && left_out.empty() && held.empty(); }
};

/// Plans how a parsed model becomes the part.
///
/// Without a root and without joints, the robot is what hangs on the world and has hinges or
/// slides. A free joint under which some move is held; bodies that move freely and have none are
/// left out; both are noted. A ball joint stays, unless the joints that move are named. Names
/// bodies and joints that have no name by their place in the file, if anything changes.
/// @param extent  kPart, or what to read in place of `part`.
/// @throws PartError for a name that is not there, a joint that cannot move or is beyond the root,
///         or a position of one that moves; ConfigError if several bodies float and it is not said
///         which is the robot, or if <compiler settotalmass> counts what is left out.
PartPlan PlanPart(mjSpec* spec, const RobotPart& part, ModelExtent extent,
                  const std::filesystem::path& file);

}  // namespace idbench
