#pragma once

#include <vector>

#include "reports/chart.h"
#include "reports/run_folder.h"

namespace idbench {

/// The charts of single trials, from the folder `series/` of a run. A chart whose file is not there
/// is left out.
///
/// - `track`, from `series/tracks.jsonl`: each parameter over time, ± 2σ, and its true value;
/// - `residual`, from `series/residuals.jsonl`: τ − τ̂ of each joint over time.
///
/// Lines have at most 260 points; of many trials the first are shown.
/// @throws ConfigError if a file is damaged: line and what.
std::vector<Chart> MakeSeriesCharts(const RunFolder& folder);

}  // namespace idbench
