#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "robots/control/control_loop.h"
#include "robots/dynamics/model.h"
#include "scenarios/motion/options.h"

namespace idbench {

/// Makes the controller that `options` describe; nullptr for exact replay and open-loop torque,
/// which have none.
///
/// @param inverse_dynamics  the controller's own model.
/// @param motion            the motion that it will follow.
/// @param release           how it lets go after that; nothing: not at all.
/// @throws PlantError if gains cannot be computed, see GainsOf().
std::unique_ptr<Controller> MakeController(
    const ControlOptions& options, const RobotModel& model, InverseDynamics inverse_dynamics,
    const Motion& motion, const std::optional<ReleaseOptions>& release = std::nullopt);

/// Returns the options that controllers with feedback share; nullptr for the other kinds.
const ControlLoopOptions* LoopOf(const ControlOptions& options);

/// Returns an issue if a controller lets go of the robot and the kind of control has none.
/// @param where  JSON pointer of the release.
std::vector<Issue> CheckRelease(const ControlOptions& control, const std::string& where);

/// Returns the contradictions between `options` and the robot: all but open-loop torque needs a
/// motor on every joint.
/// @param where  JSON pointer of the options.
std::vector<Issue> CheckControl(const ControlOptions& options, const RobotModel& model,
                                const std::string& where);

}  // namespace idbench
