#pragma once

#include <mujoco/mujoco.h>

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <vector>

#include "robots/dynamics/parameters.h"
#include "robots/physical_inertia.h"

namespace idbench {

/// Which bodies of a compiled model make up a link, and where they stand in the link's frame.
struct LinkBody {
  int link;            ///< Index of the link, −1 for the base.
  int body;            ///< Body id in the compiled model.
  std::string name;    ///< "" where the file gives it none.
  bool carries_frame;  ///< The link's frame is this body's; others are fused into it.
  Eigen::Matrix3d R_LB = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p_LB_L = Eigen::Vector3d::Zero();
};

/// The kinematic tree of a compiled MuJoCo model.
struct ModelTree {
  RobotModel model;
  std::vector<LinkBody> bodies;  ///< In the order of the body ids, the world left out.
  std::vector<int> joint_ids;    ///< Joint id in the compiled model, per link.
};

/// Reads the tree of a model whose joints are all hinges and slides.
ModelTree ReadTree(const mjModel& model, const std::string& name);

/// What a model file says about a robot.
struct RobotDescription {
  RobotModel model;
  Eigen::VectorXd pi;  ///< Inertial parameters; joint parameters are 0.
  std::vector<UnphysicalBody> unphysical;
  std::vector<LinkBody> bodies;  ///< As in ModelTree.
};

/// Reads kinematics and inertias of a parsed MJCF or URDF file, whose spec is changed on the way.
///
/// Inertias are read as written, also where MuJoCo would refuse or repair them, and for links that
/// do not move; as compiled where an MJCF derives them from geoms. A body for which nothing is
/// written has no inertia, which is unphysical if it moves.
/// @throws ConfigError naming joints that idbench does not support, or the lack of any joint;
/// values
///         that are not finite or beyond 1e12; or with MuJoCo's own words.
RobotDescription ReadRobot(mjSpec* spec, const std::string& name,
                           const std::filesystem::path& file);

}  // namespace idbench
