#pragma once

#include <vector>

#include "reports/charts/chart.h"
#include "reports/run/summary.h"

namespace idbench {

/// Makes charts of the metrics of a run over its sweep, and over time as data come in.
///
/// - `error_against_…`, one per swept axis: the mean of each metric with its 95 % interval;
/// - `over_time`: the same over the time recorded so far, for metrics at checkpoints.
///
/// `base_parameter_relative_error` has its Cramér-Rao bound beside it, if the run has the metric
/// `base_parameter_error_bound`. Leaves out a chart without data.
std::vector<Chart> MakeSweepCharts(const Summary& summary, const RunManifest& manifest);

}  // namespace idbench
