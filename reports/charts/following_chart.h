#pragma once

#include <vector>

#include "reports/charts/chart.h"
#include "reports/run/run_folder.h"

namespace idbench {

/// Makes the chart `following` from `series/following.jsonl`: how far one joint is behind its
/// motion [rad or m], desired minus true position, over the time of an experiment that is
/// controlled with an estimate, a line per estimator; with choices of experiment, joint, cell and
/// trial.
///
/// Returns nothing if the run has no such file.
/// @throws ConfigError if the file is damaged, with line and reason.
std::vector<Chart> MakeFollowingChart(const RunFolder& folder);

}  // namespace idbench
