#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "robots/plant/canonical_text.h"
#include "robots/robot.h"
#include "sim/truth/mujoco_options.h"
#include "sim/truth/payload.h"
#include "sim/truth/true_joints.h"
#include "sim/truth/true_robot.h"

namespace idbench {

/// A robot, and a hash of what a simulation reads of it: its whole model, and the bytes of its
/// file. (Files that this one includes count as far as the model shows them.)
class HashedRobot {
 public:
  /// @param robot  must outlive this.
  explicit HashedRobot(const Robot& robot);

  const Robot& robot() const { return *robot_; }
  const std::string& hash() const { return hash_; }

 private:
  const Robot* robot_;
  std::string hash_;
};

/// All that a true robot is compiled from, beside the robot's own file: see CompileTruth().
struct TruthRecipe {
  Eigen::VectorXd pi;  ///< See ParameterLayout.
  MujocoPlantOptions plant = {};
  TrueJointOptions joints = {};
  std::vector<PayloadEventOptions> events = {};
  Eigen::Vector3d imu_offset_L = Eigen::Vector3d::Zero();  ///< [m]
  int configuration = 0;  ///< What is attached: index into RobotModel::configurations().
};

/// A true robot that cannot be told apart from its recipe: it is made of nothing else.
class CompiledTruth {
 public:
  /// @param robot  must outlive this.
  /// @throws ConfigError where MuJoCo refuses a value.
  CompiledTruth(const HashedRobot& robot, TruthRecipe recipe);

  const Robot& robot() const { return robot_->robot(); }
  const TruthRecipe& recipe() const { return recipe_; }
  const TrueRobot& true_robot() const { return true_robot_; }

  /// Adds the robot's hash and the recipe.
  void Describe(CanonicalText& text) const;

 private:
  const HashedRobot* robot_;
  TruthRecipe recipe_;
  TrueRobot true_robot_;
};

}  // namespace idbench
