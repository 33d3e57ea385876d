#pragma once

#include "bench/subcommand.h"

namespace idbench {

/// Makes the desired motion of an experiment, tells how well it shows the parameters and what it
/// asks of the robot, and writes it as CSV and as a page.
Subcommand MotionCommand();

}  // namespace idbench
