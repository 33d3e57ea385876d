#pragma once

#include "bench/command.h"

namespace idbench {

/// Returns `idbench gate`: separates regressions from noise.
Command GateCommand();

}  // namespace idbench
