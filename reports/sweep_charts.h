#pragma once

#include <vector>

#include "reports/chart.h"
#include "reports/summary.h"

namespace idbench {

/// How the metrics of a run change with what it sweeps, and as data come in.
///
/// - `error_against_…`, one for each swept axis: the mean of each metric with its 95 % interval;
/// - `over_time`: the same against the time recorded so far, of metrics at checkpoints.
///
/// Beside `base_parameter_relative_error` stands its Cramér-Rao bound, where the run has the metric
/// `base_parameter_error_bound`. A chart whose data are not there is left out.
std::vector<Chart> MakeSweepCharts(const Summary& summary, const RunManifest& manifest);

}  // namespace idbench
