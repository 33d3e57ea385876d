#pragma once

#include <vector>

#include "reports/charts/chart.h"
#include "reports/run/summary.h"

namespace idbench {

/// Makes charts that compare the estimators of a run by trial, by cell and by time.
///
/// - `distribution`: quartiles and tails of each metric over the trials, for at least four trials;
/// - `profile`: performance profiles over the cells, for at least three, against the run's first
///   estimator, see PerformanceProfiles();
/// - `timing`: median and 99 % quantile of whole estimates and of single updates.
///
/// Leaves out a chart without data.
std::vector<Chart> MakeSpreadCharts(const Summary& summary, const RunManifest& manifest);

}  // namespace idbench
