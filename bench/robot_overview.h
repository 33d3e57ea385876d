#pragma once

#include <optional>
#include <string>
#include <vector>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/robot.h"
#include "robots/self_check.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// What given equations can tell of a robot's inertial parameters.
struct IdentifiableParameters {
  std::string equation;                ///< "joint_torque", "base_wrench" or "wrench/NAME"
  std::vector<int> considered;         ///< Indices into π.
  std::optional<BaseParameters> base;  ///< Nothing if their rank is not certain …
  std::string refusal;                 ///< … for the reason here.
};

/// Overview of a robot before any run, for `idbench robot`.
struct RobotOverview {
  Robot robot;
  std::vector<IdentifiableParameters> identifiable;
  SelfCheckResult self_check;
};

/// Loads a robot as LoadRobot() does and examines it.
/// @throws ConfigError as LoadRobot() does.
RobotOverview LookAtRobot(const std::string& name_or_file, const RobotPart& part = {});

/// Returns tables of at most 100 columns: joints, masses, limits, joints that are held,
/// force/torque sensors, unphysical inertias, collision spheres, identifiable parameters,
/// self-check.
std::string RobotText(const RobotOverview& overview);

/// Returns `name`, `dofs`, `links` (the base included), `base_parameters` {`joint_torque`,
/// `base_wrench`, `wrench/NAME` of each force/torque sensor}: counts (null if the rank is not
/// certain), `unphysical_links`: names, `self_check` {`max_relative_error`}, `collision` as in a
/// robot.json, `joints`: each with its limits, null where there is none, and more.
Json RobotJson(const RobotOverview& overview);

}  // namespace idbench
