#pragma once

#include <string>

#include "robots/dynamics/model.h"
#include "scenarios/motion/options.h"
#include "sim/sensors/signals.h"

namespace idbench {

/// Returns which joints take more than their limit of torque in a roll-out, although the motion was
/// designed within these, in a sentence; "" if none does. A design knows the nominal robot alone.
/// @param clean  of the roll-out.
std::string ExceededTorqueNote(const RobotModel& model, const std::string& experiment,
                               const MotionOptions& options, const Signals& clean);

}  // namespace idbench
