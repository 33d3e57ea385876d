#pragma once

#include <span>
#include <vector>

#include "scenarios/metric_info.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Returns what is wrong with the labels of windows.
std::vector<Issue> CheckWindows(const Scenario& scenario);

/// Returns what is wrong with the names of requested metrics.
/// @param metrics  all that exist.
std::vector<Issue> CheckMetricNames(const Scenario& scenario, std::span<const MetricInfo> metrics);

}  // namespace idbench
