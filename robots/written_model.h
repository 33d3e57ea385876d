#pragma once

#include <Eigen/Core>
#include <string>

#include "robots/dynamics/parameters.h"

namespace idbench {

/// A number as text that reads back to the same bits.
std::string ExactText(double value);
/// Numbers between blanks, each as ExactText().
std::string ExactText(const Eigen::Ref<const Eigen::VectorXd>& values);

/// A URDF or MJCF file of a robot, written anew: links, joints, limits, inertias; no geometry.
/// Friction and rotor inertia of `pi` are left out: robot.json holds them.
///
/// A URDF's joint turns about its link's origin and is 0 where the file draws it: a link whose
/// joint has an anchor gets its frame moved there, and reference positions become part of the
/// origins, so q means the same. Its gravity is −9.81 m/s² along z of the root: where the robot's
/// base stands otherwise, it hangs on a root "world". Loaded again, torques are the same for all
/// states.
/// @param pi  see ParameterLayout.
std::string WrittenUrdf(const RobotModel& model, const Eigen::Ref<const Eigen::VectorXd>& pi);

/// `pi` in the link frames of WrittenUrdf(), whose origins lie on the joints' axes.
Eigen::VectorXd InUrdfFrames(const RobotModel& model, const Eigen::Ref<const Eigen::VectorXd>& pi);

/// As WrittenUrdf(), with the frames of `model`; loaded again it gives the same model and pi.
std::string WrittenMjcf(const RobotModel& model, const Eigen::Ref<const Eigen::VectorXd>& pi);

}  // namespace idbench
