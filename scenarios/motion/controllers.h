#pragma once

#include <memory>
#include <string>
#include <vector>

#include "robots/dynamics/model.h"
#include "scenarios/motion/control_loop.h"
#include "scenarios/motion/options.h"

namespace idbench {

/// The controller that `options` describe; nothing for exact replay and open-loop torque, which
/// have none.
///
/// @param inverse_dynamics  its own model. @param motion  that it will follow.
/// @throws PlantError if gains cannot be had, see GainsOf().
std::unique_ptr<Controller> MakeController(const ControlOptions& options, const RobotModel& model,
                                           InverseDynamics inverse_dynamics, const Motion& motion);

/// The options that controllers with feedback share; nullptr if this is none.
const ControlLoopOptions* LoopOf(const ControlOptions& options);

/// What in `options` contradicts the robot: all but open-loop torque needs a motor on every joint.
/// @param where  JSON pointer of the options.
std::vector<Issue> CheckControl(const ControlOptions& options, const RobotModel& model,
                                const std::string& where);

}  // namespace idbench
