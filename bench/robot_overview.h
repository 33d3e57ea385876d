#pragma once

#include <optional>
#include <string>
#include <vector>

#include "robots/dynamics/base_parameters.h"
#include "robots/robot.h"
#include "robots/self_check.h"
#include "scenarios/options/json.h"

namespace idbench {

/// What a set of equations can tell of a robot's inertial parameters.
struct IdentifiableParameters {
  std::string equation;                ///< "joint_torque" or "base_wrench"
  std::vector<int> considered;         ///< Indices into π.
  std::optional<BaseParameters> base;  ///< Nothing if their rank is not certain …
  std::string refusal;                 ///< … with the reason here.
};

/// A robot as it is before anything is run, `idbench robot`.
struct RobotOverview {
  Robot robot;
  std::vector<IdentifiableParameters> identifiable;
  SelfCheckResult self_check;
};

/// Loads a robot as LoadRobot() does and looks at it. @throws ConfigError likewise.
RobotOverview LookAtRobot(const std::string& name_or_file);

/// Tables of at most 100 columns: joints, masses, inertias that are not physical, what can be
/// identified, self-check.
std::string RobotText(const RobotOverview& overview);

/// `name`, `dofs`, `links` (the base included), `base_parameters` {`joint_torque`, `base_wrench`}:
/// counts (null where the rank is not certain), `unphysical_links`: names, `self_check`
/// {`max_relative_error`}, and more.
Json RobotJson(const RobotOverview& overview);

}  // namespace idbench
