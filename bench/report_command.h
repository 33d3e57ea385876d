#pragma once

#include "bench/command.h"

namespace idbench {

/// Returns `idbench report`: makes statistics and tables of a run folder again.
Command ReportCommand();

}  // namespace idbench
