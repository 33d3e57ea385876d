#pragma once

#include <string>
#include <vector>

#include "robots/robot.h"

namespace idbench {

/// Comparison of idbench's joint torques of a robot with those of MuJoCo's `mj_inverse`.
struct SelfCheckResult {
  /// Maximum over the states of max_j |τ_j − τ_j,MuJoCo| / max_j |τ_j,MuJoCo|.
  double max_relative_error = 0.0;
  int states = 0;
  /// Empty if MuJoCo accepts the model as written; else the links that had to be made physical (see
  /// MakePhysical()), in both dynamics.
  std::vector<std::string> repaired;
};

/// Compares the rigid-body dynamics of the robot's nominal set at fixed pseudo-random states;
/// constraints, contacts, passive forces and rotor inertias are off.
/// @throws ConfigError with MuJoCo's message if it refuses the repaired model too.
SelfCheckResult SelfCheck(const Robot& robot);

}  // namespace idbench
