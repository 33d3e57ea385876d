#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/chart.h"
#include "reports/trend.h"

namespace idbench {

/// The charts of a scenario: its headline, then its durations, run by run, a view for each cell.
/// Changes are ringed and have a dashed rule.
std::vector<Chart> TrendCharts(const ScenarioTrend& trend);

/// All trends as one page. @param chart_script  see ChartScript(); without it there are tables
/// alone.
std::string RenderTrends(std::span<const ScenarioTrend> trends,
                         const std::optional<std::string>& chart_script);

}  // namespace idbench
