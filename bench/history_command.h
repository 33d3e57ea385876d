#pragma once

#include "bench/command.h"

namespace idbench {

/// `idbench history`: keeps the statistics of runs in a file, lists them and draws their trends.
Command HistoryCommand();

}  // namespace idbench
