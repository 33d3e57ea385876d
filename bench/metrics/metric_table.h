#pragma once

#include <span>
#include <string>

#include "bench/metrics/judges.h"
#include "bench/metrics/metric_value.h"
#include "estimators/interface/estimate.h"
#include "scenarios/metric_info.h"

namespace idbench {

/// What is judged.
struct MetricCall {
  const Estimate& estimate;  ///< With its series, for a metric of a window.
  const std::string& part;   ///< Experiment or window; "" for a metric of the estimate.
  double checkpoint_s;       ///< Recorded time of the estimate [s]; infinite for the end.
};

/// A metric: its description and how it is evaluated.
struct Metric {
  MetricInfo info;
  MetricValue (*evaluate)(Judges& judges, const MetricCall& of);
};

/// All metrics of estimates, in the order of records and tables. A further metric is a row and its
/// function.
std::span<const Metric> MetricTable();

/// Returns the metric of that name, which must exist.
const Metric& MetricNamed(const std::string& name);

/// Returns the descriptions in MetricTable(), then those in ObservationMetricTable() and in
/// MotionMetricTable().
std::span<const MetricInfo> AllMetrics();

}  // namespace idbench
