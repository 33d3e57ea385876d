#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/charts/chart.h"
#include "reports/run/run_folder.h"
#include "reports/run/summary.h"
#include "reports/tables/table.h"

namespace idbench {

/// Returns a run as one self-contained page: it includes styles, scripts and data, makes no
/// requests, and works from file://. The same records give the same bytes.
///
/// A click on a header sorts a table; Vega-Lite draws the charts when the page loads. The page
/// shows the contents of `verdict.json`, `checks.json`, `gate.json` and `identified.json` if the
/// run folder has them, in this order.
///
/// @param chart_script  the JavaScript of Vega-Lite (see ChartScript()). Without it the page has no
///         charts and says so.
/// @throws ConfigError if one of these is damaged.
std::string RenderHtml(const RunFolder& folder, const Summary& summary,
                       const std::vector<Table>& tables, const std::vector<Chart>& charts,
                       const std::optional<std::string>& chart_script);

}  // namespace idbench
