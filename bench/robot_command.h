#pragma once

#include "bench/command.h"

namespace idbench {

/// `idbench robot`: shows a robot before anything is run.
Command RobotCommand();

}  // namespace idbench
