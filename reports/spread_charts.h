#pragma once

#include <vector>

#include "reports/chart.h"
#include "reports/summary.h"

namespace idbench {

/// How the estimators of a run compare, trial by trial, cell by cell and in time.
///
/// - `distribution`: quartiles and tails of each metric over the trials, from four trials on;
/// - `profile`: performance profiles over the cells, from three on, against the run's first
///   estimator, see PerformanceProfiles();
/// - `timing`: median and 99 % quantile of whole estimates and of single updates.
///
/// A chart whose data are not there is left out.
std::vector<Chart> MakeSpreadCharts(const Summary& summary, const RunManifest& manifest);

}  // namespace idbench
