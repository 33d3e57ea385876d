#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/charts/chart.h"

namespace idbench {

/// Section of a page with its entry in the table of contents: a lead, charts, and what
/// is below them.
struct HtmlSection {
  std::string id;
  std::string title;
  std::string lead_html;
  std::vector<Chart> charts = {};  ///< Names are unique on a page.
  std::string html = "";
};

/// Self-contained page: it includes styles, scripts and data, makes no requests, and
/// works from file://.
struct HtmlPage {
  std::string title;
  std::string byline_html;              ///< One line below the title.
  std::string lead_html;                ///< Before the sections.
  std::vector<HtmlSection> sections;    ///< Sections without content are left out.
  std::vector<std::string> estimators;  ///< Estimators of its charts, for their legends.

  /// Returns the page. The same contents give the same bytes.
  /// @param chart_script  the JavaScript of Vega-Lite (see ChartScript()). Without it the page has
  ///         no charts and says so.
  std::string Render(const std::optional<std::string>& chart_script) const;
};

}  // namespace idbench
