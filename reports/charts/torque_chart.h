#pragma once

#include <vector>

#include "reports/charts/chart.h"
#include "reports/run/run_folder.h"

namespace idbench {

/// Makes the chart `torque` from `series/residuals.jsonl`: measured τ [N·m, N], predicted τ̂ and
/// residual τ − τ̂ of one joint over time, with choices of experiment, channel, row, estimator,
/// cell and trial. Segments of a recording are not joined.
///
/// Views are in the order of what a reader wants first, and the first kMostSeriesViews are made:
/// - of estimators the last one that takes data, then those that take none (the prior), then the
///   others from last to first;
/// - of experiments those with the role `validation`, then the others; in either from last to
///   first;
/// - cells, trials and rows upwards.
///
/// Returns nothing if no line has `measured`, as in older run folders, whose lines it leaves out.
/// @throws ConfigError if the file is damaged, with line and reason.
std::vector<Chart> MakeTorqueChart(const RunFolder& folder);

}  // namespace idbench
