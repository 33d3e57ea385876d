#pragma once

#include <optional>
#include <string>
#include <vector>

#include "robots/robot.h"
#include "scenarios/options/fields.h"
#include "sim/truth/motor_noise.h"
#include "sim/truth/touch_options.h"
#include "sim/truth/wall_options.h"

namespace idbench {

/// What acts on the robot from outside in an experiment, beside gravity and the ground.
struct EnvironmentOptions {
  std::vector<TouchEventOptions> touches = {};
  std::vector<WallOptions> walls = {};
  std::optional<MotorNoiseOptions> motor_noise = std::nullopt;
  double contact_from_n = 0.3;  ///< Metrics count greater forces as contact.

  bool empty() const { return touches.empty() && walls.empty() && !motor_noise; }
  bool operator==(const EnvironmentOptions&) const = default;
};
FieldTable Visit(EnvironmentOptions& options);

/// Returns true if each trial has touches or noise of its own.
bool DrawnPerTrial(const EnvironmentOptions& options);

/// Returns "10 N on forearm from 2 s to 3.4 s", "1 N·s on hand at 5 s", "touches of forearm with
/// 0.5 to 10 N, drawn per trial", "a wall of 8000 N/m before hand" …, one for each entry. The
/// options must have no issue.
std::vector<std::string> Describe(const EnvironmentOptions& options);

/// A body that can be touched.
struct TouchedPlace {
  LinkBody body;
  bool beyond_cuts = false;  ///< Attached to the link, and so beyond every cut through it.
};
/// Finds a body of the model file, or an attached one of `configuration`, an index into
/// RobotModel::configurations(). Nothing, with the issue at `where`, if there is none that moves.
std::optional<TouchedPlace> TouchedPlaceOf(const std::string& name, const Robot& robot,
                                           int configuration, const std::string& where,
                                           std::vector<Issue>& issues);

/// Returns the contradictions with the robot, an unknown link, pushes that steps of the plant
/// cannot follow, and walls where nothing is integrated.
/// @param where   JSON pointer of the options.
/// @param step_s  of the plant; nothing where nothing is integrated.
std::vector<Issue> CheckEnvironment(const EnvironmentOptions& options, const std::string& where,
                                    const Robot& robot, int configuration,
                                    std::optional<double> step_s);

}  // namespace idbench
