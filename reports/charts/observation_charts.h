#pragma once

#include <vector>

#include "reports/charts/chart.h"
#include "reports/run/run_folder.h"
#include "reports/run/summary.h"

namespace idbench {

/// Makes the charts of what observers found with each of their models.
///
/// - `roc`: the receiver operating characteristic of each detecting observer, mean over the trials
///   of the metric `detection_roc`, between (0, 0) and (1, 1); the false positive rate on a
///   square-root scale, because few false alarms are what a detector is used at;
/// - `observation`, from `series/observations.jsonl`: what an observer found over time, in trials
///   of keep_series, beside what was there.
///
/// A model has the colour of its estimator in the other charts. Leaves out a chart without data.
/// @throws ConfigError if the file is damaged, with line and reason.
std::vector<Chart> MakeObservationCharts(const Summary& summary, const RunFolder& folder);

}  // namespace idbench
