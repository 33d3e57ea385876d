#pragma once

#include <span>

#include "bench/metrics/metric_table.h"

namespace idbench {

/// Rows of MetricTable() for what follows unknowns through windows.
std::span<const Metric> TrackingMetricRows();

}  // namespace idbench
