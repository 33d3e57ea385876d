#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <vector>

namespace idbench {

/// Returns the velocity limits that a URDF file states of joints, by their names [rad/s, or m/s of
/// a prismatic joint]; infinite where it states none, which is no positive finite number in
/// `velocity` of the joint's <limit>. MuJoCo leaves these out.
///
/// All are infinite of an MJCF file, and of one that is no XML.
Eigen::VectorXd UrdfVelocityLimits(const std::filesystem::path& file,
                                   const std::vector<std::string>& joints);

}  // namespace idbench
