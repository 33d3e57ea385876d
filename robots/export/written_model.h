#pragma once

#include <Eigen/Core>
#include <string>

#include "robots/dynamics/parameters.h"
#include "robots/export/joint_passive.h"

namespace idbench {

/// Returns a number as text that reads back to the same bits; −0 becomes 0.
std::string ExactText(double value);
/// Returns numbers separated by blanks, each as ExactText().
std::string ExactText(const Eigen::Ref<const Eigen::VectorXd>& values);

/// Returns a sentence as the text of an XML comment, which has no "--"; names of joints may.
std::string CommentText(std::string text);

/// Writes a new URDF file of a robot: links, joints, limits, inertias; no geometry. Of friction and
/// rotor inertia it has what `joints` has written, not what `pi` has, which robot.json holds.
///
/// In a URDF a joint turns about its link's origin and is 0 where the file draws it. So the frame
/// of a link with an anchor moves to the anchor, and reference positions become part of the
/// origins; q keeps its meaning. URDF gravity is −9.81 m/s² along z of the root: a robot with a
/// tilted base gets a root "world". The file, loaded again, gives the same torques at all states.
/// @param pi      see ParameterLayout.
/// @param joints  of the model, or nothing: their passive torques are 0.
std::string WrittenUrdf(const RobotModel& model, const Eigen::Ref<const Eigen::VectorXd>& pi,
                        const PassiveJoints& joints = {});

/// Returns `pi` in the link frames of WrittenUrdf(), whose origins lie on the joints' axes.
Eigen::VectorXd InUrdfFrames(const RobotModel& model, const Eigen::Ref<const Eigen::VectorXd>& pi);

/// Writes a new MJCF file as WrittenUrdf(), with the frames of `model`; loaded again it gives the
/// same model and pi.
std::string WrittenMjcf(const RobotModel& model, const Eigen::Ref<const Eigen::VectorXd>& pi,
                        const PassiveJoints& joints = {});

}  // namespace idbench
