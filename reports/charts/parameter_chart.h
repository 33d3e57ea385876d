#pragma once

#include <vector>

#include "reports/charts/chart.h"
#include "reports/run/run_folder.h"

namespace idbench {

/// Makes the chart `parameters` from `identified.json`: a row per parameter with its value before
/// and after identification, the 95 % interval where the estimator states σ, and the true value
/// where there is one; faint where the motion hardly tells it, or no motion does. Where an
/// estimator states σ of combinations, rows are these. Choices: kind of parameter (by unit),
/// estimator, cell and trial; the last estimator that takes data comes first.
///
/// Returns nothing without that file, or if nothing was identified in it.
/// @throws ConfigError if the file is damaged.
std::vector<Chart> MakeParameterChart(const RunFolder& folder);

}  // namespace idbench
