#pragma once

#include <mujoco/mujoco.h>

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <vector>

#include "robots/dynamics/parameters.h"
#include "robots/link_body.h"
#include "robots/physical_inertia.h"

namespace idbench {

/// Two readings of the same numbers differ by round-off alone: by less than this part of them.
inline constexpr double kSameReading = 1e-12;

/// Kinematic tree of a compiled MuJoCo model.
struct ModelTree {
  RobotModel model;
  std::vector<LinkBody> bodies;  ///< In the order of the body ids, without the world.
  std::vector<int> joint_ids;    ///< Joint id in the compiled model, per link.
};

/// Reads the tree of a model whose joints are all hinges and slides.
///
/// A joint's limit of effort is the smaller magnitude of the two sides of its `actuatorfrcrange`,
/// which ParseModel() narrows to what its actuators can give, and `effort` of a URDF sets. A range
/// that has not both signs is no limit: 0 N·m is no joint's strength. Of velocity and acceleration
/// a compiled model has no limits.
ModelTree ReadTree(const mjModel& model, const std::string& name);

/// Robot as a model file describes it.
struct RobotDescription {
  RobotModel model;
  Eigen::VectorXd pi;  ///< Inertial parameters, see ParameterLayout; joint parameters are 0.
  std::vector<UnphysicalBody> unphysical;
  std::vector<LinkBody> bodies;  ///< As in ModelTree, with their inertias.
};

/// Reads kinematics and inertias of a parsed MJCF or URDF file; changes its spec.
///
/// Reads inertias as written, even if MuJoCo would refuse or repair them, and also for links that
/// do not move; as compiled where an MJCF derives them from geoms. A body without a written inertia
/// has none, which is unphysical if it moves. Limits are those of ReadTree() and, of a URDF, the
/// velocities that it states, see UrdfVelocityLimits().
/// @throws ConfigError if there is no joint or one of an unsupported kind (naming it), if values
///         are not finite or exceed 1e12, or with MuJoCo's own message.
RobotDescription ReadRobot(mjSpec* spec, const std::string& name,
                           const std::filesystem::path& file);

}  // namespace idbench
