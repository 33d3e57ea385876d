#pragma once

#include "bench/subcommand.h"

namespace idbench {

/// Returns `idbench robot`.
Subcommand RobotCommand();

}  // namespace idbench
