#pragma once

#include "bench/subcommand.h"

namespace idbench {

/// Returns `idbench history`: stores the statistics of runs in a file, accepts runs, lists them and
/// draws their trends.
Subcommand HistoryCommand();

}  // namespace idbench
