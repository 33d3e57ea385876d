#pragma once

#include <vector>

#include "reports/charts/chart.h"
#include "reports/run/run_folder.h"

namespace idbench {

/// Makes the chart `recorded` of what the sensors read in the kept trials, from the tables
/// `series/cell<k>_<experiment>_trial<n>.csv` of a run: one view per experiment and channel, with a
/// line per column. Empty if there are none. Lines have at most 160 points, evenly chosen; of many
/// views it shows the first.
/// @throws ConfigError if a table is damaged, with line and reason.
std::vector<Chart> MakeRecordedCharts(const RunFolder& folder);

}  // namespace idbench
