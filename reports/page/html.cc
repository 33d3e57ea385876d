#include "reports/page/html.h"

#include <fmt/format.h>

#include <utility>

#include "reports/page/html_checks.h"
#include "reports/page/html_gate.h"
#include "reports/page/html_identified.h"
#include "reports/page/html_motion.h"
#include "reports/page/html_page.h"
#include "reports/page/html_sections.h"
#include "reports/page/html_text.h"
#include "reports/page/html_verdict.h"

namespace idbench {
namespace {

std::string Byline(const RunManifest& manifest) {
  std::string text;
  if (!manifest.Name().empty()) {
    text += fmt::format("Scenario <code>{}</code>, ", HtmlEscape(manifest.Name()));
  }
  text += fmt::format("seed {}", manifest.seed);
  if (!manifest.commit.empty()) {
    text += fmt::format(", idbench <code>{}</code>", HtmlEscape(manifest.commit));
  }
  return text;
}

}  // namespace

std::string RenderHtml(const RunFolder& folder, const Summary& summary,
                       const std::vector<Table>& tables, const std::vector<Chart>& charts,
                       const std::optional<std::string>& chart_script) {
  const RunManifest& manifest = folder.manifest();
  HtmlPage page;
  page.title = manifest.Title();
  page.byline_html = Byline(manifest);
  page.lead_html = HtmlMessages(summary, manifest) + HtmlOverview(summary, manifest);
  page.sections = {{"verdict", "Verdict", HtmlVerdict(folder)},
                   {"checks", "What looks wrong in the logs", HtmlChecks(folder)},
                   {"gate", "Gate", HtmlGate(folder)},
                   {"tables", "Tables", HtmlTables(tables)},
                   {"motion", "Motion", HtmlMotion(folder)},
                   {"charts", "Charts", "", charts},
                   {"identified", "What was identified", HtmlIdentified(folder)},
                   {"provenance", "Provenance", HtmlProvenance(manifest)}};
  page.estimators = manifest.estimators;
  return page.Render(chart_script);
}

}  // namespace idbench
