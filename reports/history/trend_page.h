#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/charts/chart.h"
#include "reports/history/trend.h"

namespace idbench {

/// Makes the charts of a scenario: its headline, then its durations, run by run, one view per cell.
/// A ring and a dashed rule mark each change.
std::vector<Chart> TrendCharts(const ScenarioTrend& trend);

/// Returns all trends as one page.
/// @param chart_script  see ChartScript(); without it the page has tables only.
std::string RenderTrends(std::span<const ScenarioTrend> trends,
                         const std::optional<std::string>& chart_script);

}  // namespace idbench
