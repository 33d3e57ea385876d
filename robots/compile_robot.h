#pragma once

#include <Eigen/Core>
#include <string>
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

/// Compiles the robot's model file with the inertial parameters and rotor inertias of `pi` (see
/// ParameterLayout) in place of its own; the base too, if the file has a body for it. Joints
/// without a name get the name in `robot.model`.
/// @param welded  bodies to add.
/// @throws ConfigError with MuJoCo's message if it refuses a value; see MakePhysical().
ModelPtr CompileRobot(const Robot& robot, const Eigen::Ref<const Eigen::VectorXd>& pi,
                      const std::vector<WeldedBody>& welded = {});

}  // namespace idbench
