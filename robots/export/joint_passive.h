#pragma once

#include <mujoco/mujoco.h>

#include <Eigen/Core>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "robots/dynamics/parameters.h"
#include "robots/model_text.h"
#include "robots/robot.h"

namespace idbench {

/// Passive torque of a joint as model files state it, in units of a revolute joint:
///
///   τ = Σ_k damping_k·q̇·|q̇|^k + armature·q̈ + Σ_k stiffness_k·Δq·|Δq|^k + friction loss,
///
/// where MuJoCo makes of the friction loss a soft constraint of at most `frictionloss`.
struct JointPassive {
  using Polynomial = std::array<double, mjNPOLY + 1>;

  Polynomial damping{};       ///< [N·m·s/rad, …], the linear coefficient first.
  double armature = 0.0;      ///< [kg·m²]
  double frictionloss = 0.0;  ///< [N·m]
  Polynomial stiffness{};     ///< [N·m/rad, …]

  bool operator==(const JointPassive&) const = default;
};

/// Where Coulomb friction of an exported set stands beside robot.json.
enum class ExportedCoulomb {
  kBeside,        ///< Nowhere else: friction losses of the model file are 0.
  kFrictionloss,  ///< Also in the model file, as friction loss.
};

/// Passive torques of the joints of a robot, as an export writes them.
struct PassiveJoints {
  std::vector<JointPassive> file;     ///< What its file has, defaults of classes included.
  std::vector<JointPassive> written;  ///< What the export has.
  std::string note;  ///< A sentence about `written`; "" if there is nothing to say.
  std::vector<std::string> warnings;  ///< What it cannot say, one sentence each.
};

/// Returns what a model file has, by joint.
/// @param spec  of a robot or a part, compiled: all its joints are hinges and slides, in the order
/// of
///              the links.
std::vector<JointPassive> PassiveIn(const mjSpec* spec);

/// Returns what an export of π into the file of a robot, see LoadWhole(), writes: for joints that
/// moved, damping = fv, armature = ia (0 in a URDF, which has none), frictionloss = 0 or fc,
/// stiffness = 0: what a run does not count is 0. A negative value, which no such torque has, is
/// written as 0 and told. Other joints keep theirs.
/// @param pi      of the whole, see ParameterLayout.
/// @param moved   names of joints.
/// @param format  of the export.
PassiveJoints PassiveOf(const Robot& whole, const Eigen::Ref<const Eigen::VectorXd>& pi,
                        const std::vector<std::string>& moved, ModelFormat format,
                        ExportedCoulomb coulomb);

/// Returns π as far as a model file of that format states it beside bodies: fv and ia where they
/// are not negative (ia not in a URDF), 0 for all other terms.
Eigen::VectorXd StatedParameters(const RobotModel& model, Eigen::VectorXd pi, ModelFormat format);

/// Returns the places, within all actuators of an MJCF file, of those that add damping or armature
/// to one of these joints.
std::vector<std::size_t> ActuatorsThatAdd(const std::filesystem::path& file,
                                          const std::vector<std::string>& joints);

/// Returns what MuJoCo counts of a model file and a run does not, which an export leaves as it is:
/// gravity compensation, a medium, passive tendons. A sentence; "" if there is nothing.
std::string StillCounted(const std::filesystem::path& file);

}  // namespace idbench
