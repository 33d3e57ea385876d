#pragma once

#include "bench/subcommand.h"

namespace idbench {

/// Returns `idbench gate`: separates regressions from noise.
Subcommand GateCommand();

}  // namespace idbench
