#pragma once

#include "bench/command.h"

namespace idbench {

/// `idbench gate`: tells regressions from noise.
Command GateCommand();

}  // namespace idbench
