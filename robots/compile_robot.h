#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "robots/dynamics/parameters.h"
#include "robots/mjspec.h"
#include "robots/robot.h"

namespace idbench {

/// A body of its own that is welded to a link, its frame that of the link.
struct WeldedBody {
  std::string name;
  int link = 0;
  CentralInertia inertia;
};

/// The robot's model file compiled with the inertial parameters and rotor inertias of `pi` (see
/// ParameterLayout) instead of its own. The base has its inertia too, if the file has a body for
/// it. Joints without a name get the one of `robot.model`.
/// @throws ConfigError with MuJoCo's words if it refuses a value; see MakePhysical().
ModelPtr CompileRobot(const Robot& robot, const Eigen::Ref<const Eigen::VectorXd>& pi,
                      const std::vector<WeldedBody>& welded = {});

}  // namespace idbench
