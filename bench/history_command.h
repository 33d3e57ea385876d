#pragma once

#include "bench/command.h"

namespace idbench {

/// Returns `idbench history`: stores the statistics of runs in a file, accepts runs, lists them and
/// draws their trends.
Command HistoryCommand();

}  // namespace idbench
