#pragma once

#include <vector>

#include "reports/charts/chart.h"
#include "reports/run/run_folder.h"

namespace idbench {

/// Makes the charts of single trials, from the folder `series/` of a run. Leaves out a chart whose
/// file is missing.
///
/// - `track`, from `series/tracks.jsonl`: each parameter over time, ± 2σ, and its true value;
/// - `residual`, from `series/residuals.jsonl`: τ − τ̂ of each joint over time.
///
/// Lines have at most 260 points; of many trials it shows the first.
/// @throws ConfigError if a file is damaged, with line and reason.
std::vector<Chart> MakeSeriesCharts(const RunFolder& folder);

}  // namespace idbench
