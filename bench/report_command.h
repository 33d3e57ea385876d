#pragma once

#include "bench/subcommand.h"

namespace idbench {

/// Returns `idbench report`: makes statistics and tables of a run folder again.
Subcommand ReportCommand();

}  // namespace idbench
