#include "reports/page/html_page.h"

#include <fmt/format.h>

#include <utility>

#include "reports/page/html_text.h"
#include "reports/page/page_assets.h"
#include "reports/page/shared_lists.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Whatever data could smuggle in, the browser requests nothing; scripts are those of this file.
/// Vega compiles its expressions, which is called eval.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src data: blob:; form-action 'none'; base-uri 'none'";

std::string Figures(const std::vector<Chart>& charts) {
  std::string text = "<div class=\"charts\">\n";
  for (const Chart& chart : charts) {
    text += fmt::format(
        "<figure class=\"chart\" id=\"chart-{0}\">\n"
        "<div class=\"bar\"><h3>{1}</h3><button type=\"button\" hidden>Save as SVG</button></div>\n"
        "<div class=\"choices\"></div>\n"
        "<div class=\"plot\" role=\"img\" aria-label=\"{1}\"></div>\n{2}</figure>\n",
        HtmlEscape(chart.name), HtmlEscape(chart.title), HtmlNotes(chart.notes));
  }
  return text + "</div>\n";
}

constexpr const char* kHowToRead =
    "<p class=\"lead\">The pointer on a mark tells its numbers; a click on a name of a legend sets "
    "that estimator apart, with the shift key several.</p>\n"
    "<noscript><p class=\"lead\">Charts need JavaScript.</p></noscript>\n";

constexpr const char* kNoCharts =
    "<ul class=\"messages\"><li>There are no charts here: Vega-Lite, which draws them, was not "
    "found when this page was made. <code>./setup.sh</code> fetches it; then make this page "
    "again.</li></ul>\n";

Json ChartData(const HtmlPage& page) {
  Json list = Json::array();
  for (const HtmlSection& section : page.sections) {
    for (const Chart& chart : section.charts) {
      Json views = Json::array();
      for (const ChartView& view : chart.views) {
        views.push_back({{"labels", view.labels}, {"patch", view.patch}});
      }
      list.push_back({{"name", chart.name},
                      {"choices", chart.choices},
                      {"spec", chart.spec},
                      {"views", std::move(views)}});
    }
  }
  Json shared = TakeSharedLists(list);
  return {{"config", ChartConfig(ChartColours::kPage)},
          {"estimators", page.estimators},
          {"lists", std::move(shared)},
          {"charts", std::move(list)}};
}

std::string Head(const HtmlPage& page, const std::vector<const HtmlSection*>& sections) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{0}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{1}</title>\n<style>\n:root {{ {2}}}\n{3}</style>\n</head>\n"
      "<body>\n<header>\n<div class=\"masthead\"><div><h1>{1}</h1>\n<p class=\"byline\">{4}</p>"
      "</div>\n<button type=\"button\" id=\"theme\" hidden></button></div>\n<nav><ul>\n",
      kPolicy, HtmlEscape(page.title), ChartVariables(), kReportCss, page.byline_html);
  for (const HtmlSection* section : sections) {
    text +=
        fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section->id, HtmlEscape(section->title));
  }
  return text + "</ul></nav>\n</header>\n";
}

}  // namespace

std::string HtmlPage::Render(const std::optional<std::string>& chart_script) const {
  std::vector<const HtmlSection*> shown;
  for (const HtmlSection& section : sections) {
    if (section.lead_html.empty() && section.charts.empty() && section.html.empty()) continue;
    shown.push_back(&section);
  }
  std::string page = Head(*this, shown) + "<main>\n" + lead_html;
  bool charts = false;
  for (const HtmlSection* section : shown) {
    page += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}", section->id,
                        HtmlEscape(section->title), section->lead_html);
    if (!section->charts.empty()) {
      if (!charts) page += chart_script ? kHowToRead : kNoCharts;
      if (chart_script) page += Figures(section->charts);
      charts = true;
    }
    page += section->html + "</section>\n";
  }
  page += "</main>\n";
  if (charts && chart_script) {
    page += "<script type=\"application/json\" id=\"chart-data\">" + ScriptJson(ChartData(*this)) +
            "</script>\n<script>" + *chart_script + "</script>\n";
  }
  return page + fmt::format("<script>\n{}{}</script>\n</body>\n</html>\n", kReportJs, kMotionJs);
}

}  // namespace idbench
