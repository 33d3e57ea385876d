#pragma once

#include <Eigen/Core>
#include <string>

#include "robots/dynamics/parameters.h"

namespace idbench {

/// Returns a number as text that reads back to the same bits; −0 becomes 0.
std::string ExactText(double value);
/// Returns numbers separated by blanks, each as ExactText().
std::string ExactText(const Eigen::Ref<const Eigen::VectorXd>& values);

/// Writes a new URDF file of a robot: links, joints, limits, inertias; no geometry. Leaves out
/// friction and rotor inertia of `pi`, which robot.json holds.
///
/// In a URDF a joint turns about its link's origin and is 0 where the file draws it. So the frame
/// of a link with an anchor moves to the anchor, and reference positions become part of the
/// origins; q keeps its meaning. URDF gravity is −9.81 m/s² along z of the root: a robot with a
/// tilted base gets a root "world". The file, loaded again, gives the same torques at all states.
/// @param pi  see ParameterLayout.
std::string WrittenUrdf(const RobotModel& model, const Eigen::Ref<const Eigen::VectorXd>& pi);

/// Returns `pi` in the link frames of WrittenUrdf(), whose origins lie on the joints' axes.
Eigen::VectorXd InUrdfFrames(const RobotModel& model, const Eigen::Ref<const Eigen::VectorXd>& pi);

/// Writes a new MJCF file as WrittenUrdf(), with the frames of `model`; loaded again it gives the
/// same model and pi.
std::string WrittenMjcf(const RobotModel& model, const Eigen::Ref<const Eigen::VectorXd>& pi);

}  // namespace idbench
