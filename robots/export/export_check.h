#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <string>

#include "robots/dynamics/dynamics.h"
#include "robots/robot.h"

namespace idbench {

/// Greatest difference of joint torques of an exported file and of its set, over the greatest
/// torque.
inline constexpr double kSameTorque = 1e-9;

/// Result of CheckExportOnMotion().
struct MotionCheck {
  double relative_error = 0.0;  ///< max |τ_file − τ| / max |τ| over states and joints.
  /// Why MuJoCo does not load the file, so that idbench's own dynamics had to stand for MuJoCo's;
  /// "" if it does.
  std::string refused_by_mujoco;
};

/// Compares MuJoCo's inverse dynamics of an exported model file with the set that it was made from,
/// on the states of a motion: rigid bodies, damping = fv and armature = ia, as far as the file
/// states them (see StatedParameters()).
///
/// Where MuJoCo refuses the inertias (links without mass of a URDF, for which other programs have a
/// use), what is read from the file is compared by idbench's own dynamics.
/// @param robot  what was identified, see CheckExport(); a part of the file, perhaps.
/// @throws ConfigError if the error exceeds kSameTorque, naming the joint, or if actuators of the
///         file add to the joints.
MotionCheck CheckExportOnMotion(const std::filesystem::path& model_file, const Robot& robot,
                                const Eigen::Ref<const Eigen::VectorXd>& pi,
                                const StateSamples& motion);

/// Returns the rms over the states, by joint, of what MuJoCo's soft friction losses differ from
/// Coulomb friction fc·s(q̇) [N·m or N].
/// @param friction  s.
/// @throws ConfigError if MuJoCo refuses the file.
Eigen::VectorXd FrictionlossError(const std::filesystem::path& model_file, const Robot& robot,
                                  const Eigen::Ref<const Eigen::VectorXd>& pi,
                                  const FrictionShape& friction, const StateSamples& motion);

}  // namespace idbench
