#pragma once

#include "bench/command.h"

namespace idbench {

/// Returns `idbench status`: reports the progress of runs.
Command StatusCommand();

}  // namespace idbench
