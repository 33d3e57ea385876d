#pragma once

#include <string>
#include <vector>

#include "robots/robot.h"

namespace idbench {

/// idbench's joint torques of a robot beside those of MuJoCo's `mj_inverse`.
struct SelfCheckResult {
  /// Greatest of max_j |τ_j − τ_j,MuJoCo| / max_j |τ_j,MuJoCo| over the states.
  double max_relative_error = 0.0;
  int states = 0;
  /// Empty if MuJoCo took the model as it is written; else the links that had to be made physical
  /// (see MakePhysical()), in both dynamics.
  std::vector<std::string> repaired;
};

/// Compares the rigid-body dynamics of the robot's nominal set on fixed pseudo-random states;
/// constraints, contacts, passive forces and rotor inertias are off.
/// @throws ConfigError with MuJoCo's words if it refuses the repaired model too.
SelfCheckResult SelfCheck(const Robot& robot);

}  // namespace idbench
