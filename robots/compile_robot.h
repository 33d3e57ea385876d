#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "robots/dynamics/parameters.h"
#include "robots/mjspec.h"
#include "robots/robot.h"

namespace idbench {

/// Additional body welded to a link; its frame is that of the link.
struct WeldedBody {
  std::string name;
  int link = 0;
  CentralInertia inertia;
};

/// Beginning of the names of tendons that are rotor inertias of the robot's own terms.
inline constexpr std::string_view kTermTendon = "term/";

/// Compiles the robot's model file with the inertial parameters and rotor inertias of `pi` (see
/// ParameterLayout) in place of its own; the base too, if the file has a body for it. Joints
/// without a name get the name in `robot.model`. A rotor inertia that several joints share, c·cᵀ·θ
/// of an own term, is the armature of a fixed tendon with the coefficients c.
/// @param welded  bodies to add.
/// @throws ConfigError with MuJoCo's message if it refuses a value; see MakePhysical().
ModelPtr CompileRobot(const Robot& robot, const Eigen::Ref<const Eigen::VectorXd>& pi,
                      const std::vector<WeldedBody>& welded = {});

}  // namespace idbench
