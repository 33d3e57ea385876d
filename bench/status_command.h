#pragma once

#include "bench/subcommand.h"

namespace idbench {

/// Returns `idbench status`: reports the progress of runs.
Subcommand StatusCommand();

}  // namespace idbench
