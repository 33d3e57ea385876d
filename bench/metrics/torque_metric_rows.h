#pragma once

#include <span>

#include "bench/metrics/metric_table.h"

namespace idbench {

/// The rows of MetricTable() about predictions of joint torques, which come first in it: scores at
/// each smoothing, errors against the true torques.
std::span<const Metric> TorqueMetricRows();

}  // namespace idbench
