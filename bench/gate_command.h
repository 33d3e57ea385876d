#pragma once

#include "bench/command.h"
#include "bench/gate_run.h"  // GateRun() and WriteBaseline(), for those who gate from C++

namespace idbench {

/// `idbench gate`: tells regressions from noise.
Command GateCommand();

}  // namespace idbench
