#include "reports/html.h"

#include <fmt/format.h>

#include <utility>

#include "reports/html_gate.h"
#include "reports/html_identified.h"
#include "reports/html_sections.h"
#include "reports/html_text.h"
#include "reports/page_assets.h"

namespace idbench {
namespace {

/// A part of the page, and its place in the list of contents.
struct Section {
  const char* id;
  const char* title;
  std::string html;
};

/// Whatever data could smuggle in, the browser requests nothing; scripts are those of this file.
/// Vega compiles its expressions, which is called eval.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src data: blob:; form-action 'none'; base-uri 'none'";

std::string ChartFigures(const std::vector<Chart>& charts) {
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

std::string ChartSection(const std::vector<Chart>& charts, bool drawn) {
  if (charts.empty()) return "";
  if (drawn) {
    return "<p class=\"lead\">The pointer on a mark tells its numbers; a click on a name of a "
           "legend sets that estimator apart, with the shift key several.</p>\n"
           "<noscript><p class=\"lead\">Charts need JavaScript.</p></noscript>\n" +
           ChartFigures(charts);
  }
  return "<ul class=\"messages\"><li>There are no charts here: Vega-Lite, which draws them, was "
         "not "
         "found when this page was made. <code>./setup.sh</code> fetches it, and <code>idbench "
         "report</code> makes this page again.</li></ul>\n";
}

Json ChartData(const std::vector<Chart>& charts, const RunManifest& manifest) {
  Json list = Json::array();
  for (const Chart& chart : charts) {
    Json views = Json::array();
    for (const ChartView& view : chart.views) {
      views.push_back({{"labels", view.labels}, {"patch", view.patch}});
    }
    list.push_back({{"name", chart.name},
                    {"choices", chart.choices},
                    {"spec", chart.spec},
                    {"views", std::move(views)}});
  }
  return {{"config", ChartConfig(ChartColours::kPage)},
          {"estimators", manifest.estimators},
          {"charts", std::move(list)}};
}

std::string Head(const RunManifest& manifest) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>\n:root {{ {}}}\n{}</style>\n</head>\n",
      kPolicy, HtmlEscape(manifest.Title()), ChartVariables(), kReportCss);
}

std::string Header(const RunManifest& manifest, const std::vector<Section>& sections) {
  std::string text = fmt::format(
      "<body>\n<header>\n<div class=\"masthead\"><div><h1>{}</h1>\n<p class=\"byline\">",
      HtmlEscape(manifest.Title()));
  if (!manifest.Name().empty()) {
    text += fmt::format("Scenario <code>{}</code>, ", HtmlEscape(manifest.Name()));
  }
  text += fmt::format("seed {}", manifest.seed);
  if (!manifest.commit.empty()) {
    text += fmt::format(", idbench <code>{}</code>", HtmlEscape(manifest.commit));
  }
  text += "</p></div>\n<button type=\"button\" id=\"theme\" hidden></button></div>\n<nav><ul>\n";
  for (const Section& section : sections) {
    if (section.html.empty()) continue;
    text += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, section.title);
  }
  return text + "</ul></nav>\n</header>\n";
}

}  // namespace

std::string RenderHtml(const RunFolder& folder, const Summary& summary,
                       const std::vector<Table>& tables, const std::vector<Chart>& charts,
                       const std::optional<std::string>& chart_script) {
  const RunManifest& manifest = folder.manifest();
  const bool drawn = chart_script && !charts.empty();
  std::string figures;
  for (std::size_t i = 0; i < tables.size(); ++i) figures += HtmlFigure(tables[i], i + 1);
  const std::vector<Section> sections = {
      {"gate", "Gate", HtmlGate(folder)},
      {"tables", "Tables", std::move(figures)},
      {"charts", "Charts", ChartSection(charts, drawn)},
      {"identified", "What was identified", HtmlIdentified(folder)},
      {"provenance", "Provenance", HtmlProvenance(manifest)}};

  std::string page = Head(manifest) + Header(manifest, sections) + "<main>\n";
  page += HtmlMessages(summary, manifest) + HtmlOverview(summary, manifest);
  for (const Section& section : sections) {
    if (section.html.empty()) continue;
    page += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", section.id,
                        section.title, section.html);
  }
  page += "</main>\n";
  if (drawn) {
    page += "<script type=\"application/json\" id=\"chart-data\">" +
            ScriptJson(ChartData(charts, manifest)) + "</script>\n<script>" + *chart_script +
            "</script>\n";
  }
  return page + fmt::format("<script>\n{}</script>\n</body>\n</html>\n", kReportJs);
}

}  // namespace idbench
