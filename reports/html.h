#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/chart.h"
#include "reports/run_folder.h"
#include "reports/summary.h"
#include "reports/table.h"

namespace idbench {

/// A run as one page that needs nothing else: styles, scripts and data are inside, nothing is ever
/// requested, and it works from file://. The same records give the same bytes.
///
/// Tables are sorted by a click on a header; charts are drawn by Vega-Lite when the page is loaded.
/// What `gate.json` and `identified.json` of the run folder hold is shown where these are there.
///
/// @param chart_script  the JavaScript of Vega-Lite (see ChartScript()). Without it the page has no
///                      charts and says so.
/// @throws ConfigError if `gate.json` or `identified.json` is damaged.
std::string RenderHtml(const RunFolder& folder, const Summary& summary,
                       const std::vector<Table>& tables, const std::vector<Chart>& charts,
                       const std::optional<std::string>& chart_script);

}  // namespace idbench
