#pragma once

#include <vector>

#include "reports/charts/chart.h"
#include "reports/run/run_folder.h"

namespace idbench {

/// Makes the chart `swings` from `series/swings.jsonl`: the angle of one link from upright [rad]
/// over the time of a swing, a line per estimator that made such a swing; with choices of swing,
/// link, cell and trial.
///
/// Returns nothing if the run has no such file.
/// @throws ConfigError if the file is damaged, with line and reason.
std::vector<Chart> MakeSwingChart(const RunFolder& folder);

}  // namespace idbench
