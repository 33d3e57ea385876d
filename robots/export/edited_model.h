#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "robots/export/joint_passive.h"
#include "robots/robot.h"

namespace idbench {

/// Returns the text of the robot's model file with the inertias of `pi` in place of its own, and
/// passive torques of joints where `joints` has others.
/// Everything else stays: names, meshes, comments, defaults, layout of the text.
///
/// The robot is all that moves in its file, see ModelExtent::kRobot.
/// A link whose ten parameters already are those of the file is left unchanged. For another link,
/// the whole inertia goes to the body that has the joint; bodies fused into it, which the estimate
/// cannot separate from it, become massless, and a comment beside them says so; likewise a link
/// without any inertia. In MJCF, settings
/// that let geometry or a total mass override an <inertial> are removed (all bodies are then
/// written), and so are least masses and inertias, which would give some to the massless bodies.
/// Attributes of a joint are written where its own, or those of its class, have another effect; and
/// actuators that would add damping or armature to a joint that moved get 0 of both.
/// The text may be saved in any folder: included files are written in place, and relative paths of
/// meshes and textures become absolute.
/// @param joints      of the robot, see PassiveOf(); of none, they stay as they are.
/// @param moved       names of joints whose passive torque is all in `joints`.
/// @param[out] notes  what was done besides writing inertias, one sentence each, appended.
/// @throws ConfigError for MJCF whose bodies are not in the file one by one (<replicate>,
///         <attach>), or if a file cannot be read.
std::string EditedModel(const Robot& robot, const Eigen::Ref<const Eigen::VectorXd>& pi,
                        const PassiveJoints& joints, const std::vector<std::string>& moved,
                        std::vector<std::string>& notes);

}  // namespace idbench
