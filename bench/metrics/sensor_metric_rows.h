#pragma once

#include <span>

#include "bench/metrics/metric_table.h"

namespace idbench {

/// The rows of MetricTable() about force/torque sensors and about motors, which come last in it.
std::span<const Metric> SensorMetricRows();

}  // namespace idbench
