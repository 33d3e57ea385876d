#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/chart.h"

namespace idbench {

/// A part of a page, and its place in the list of contents: a lead, charts, and what is below them.
struct HtmlSection {
  std::string id;
  std::string title;
  std::string lead_html;
  std::vector<Chart> charts = {};  ///< Names are unique on a page.
  std::string html = "";
};

/// A page that needs nothing else: styles, scripts and data are inside, nothing is ever requested,
/// and it works from file://.
struct HtmlPage {
  std::string title;
  std::string byline_html;              ///< One line below the title.
  std::string lead_html;                ///< Before the sections.
  std::vector<HtmlSection> sections;    ///< Those without content are left out.
  std::vector<std::string> estimators;  ///< Of its charts, for their legends.

  /// The same contents give the same bytes.
  /// @param chart_script  the JavaScript of Vega-Lite (see ChartScript()). Without it the page has
  ///                      no charts and says so.
  std::string Render(const std::optional<std::string>& chart_script) const;
};

}  // namespace idbench
