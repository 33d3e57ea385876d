#pragma once

#include "bench/command.h"

namespace idbench {

/// Returns `idbench robot`.
Command RobotCommand();

}  // namespace idbench
