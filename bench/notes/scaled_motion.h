#pragma once

#include <string>

#include "robots/plant/motion.h"
#include "robots/robot.h"
#include "scenarios/motion/options.h"

namespace idbench {

/// Returns which joints the velocity limits of a URDF hold back in a motion that keeps such limits,
/// in a sentence; "" if none is. A designed motion, of type `exciting`, is made for them and is not
/// told.
std::string ScaledMotionNote(const Robot& robot, const std::string& experiment,
                             const MotionOptions& options, const Motion& motion);

}  // namespace idbench
