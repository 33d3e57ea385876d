#pragma once

#include <vector>

#include "reports/charts/chart.h"
#include "reports/run/run_folder.h"

namespace idbench {

/// Limit on the views of the chart: a robot with seven joints moves in nine experiments, and the
/// estimate stands beside the prior.
inline constexpr std::size_t kMostTorqueViews = 128;

/// Makes the chart `torque` from `series/residuals.jsonl`: measured τ [N·m, N], predicted τ̂ and
/// residual τ − τ̂ of one joint over time, with choices of experiment (with the name of
/// its file), channel, row, estimator, cell and trial. Segments of a recording are not joined.
///
/// Views are in the order of what a reader wants first, and the first kMostTorqueViews are made; of
/// an estimator after the first one all or none:
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
