#include "bench/nightly/nightly_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/run/exit_code.h"
#include "reports/files/number_format.h"
#include "reports/page/html_page.h"
#include "reports/page/html_text.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

double TotalSeconds(const std::vector<NightlyResult>& results) {
  double sum = 0;
  for (const NightlyResult& result : results) sum += result.duration_s;
  return sum;
}

/// A link to the best report of a run folder; nothing where there is none.
std::string ReportLink(const fs::path& folder, const fs::path& out, const char* text) {
  for (const char* name : {"report.html", "report.md"}) {
    if (folder.empty() || !fs::exists(folder / name)) continue;
    const std::string link = fs::proximate(folder / name, out).generic_string();
    return fmt::format("<a href=\"{}\">{}</a>", HtmlEscape(link), text);
  }
  return "";
}

std::string Figure(const char* css_class, const char* name, const std::string& value) {
  return fmt::format("<div{}><dt>{}</dt><dd>{}</dd></div>\n", css_class, name, value);
}

std::string Figures(const std::vector<NightlyResult>& results) {
  const auto bad = std::ranges::count_if(results, [](const NightlyResult& result) {
    return InfoOf(result.verdict).exit_code != kExitFine;
  });
  const auto skipped =
      std::ranges::count(results, NightlyVerdict::kSkipped, &NightlyResult::verdict);
  const auto fine = static_cast<std::ptrdiff_t>(results.size()) - bad - skipped;
  return "<dl class=\"figures-of-run\">\n" +
         Figure("", "scenarios", fmt::format("{}", results.size())) +
         Figure("", "fine", fmt::format("{}", fine)) +
         Figure(bad > 0 ? " class=\"bad\"" : "", "to look at", fmt::format("{}", bad)) +
         Figure("", "skipped", fmt::format("{}", skipped)) +
         Figure("", "duration", PrintDuration(TotalSeconds(results))) + "</dl>\n";
}

std::string ResultTable(const std::vector<NightlyResult>& results, const fs::path& out) {
  HtmlTable table;
  table.columns = {{"scenario", "text"}, {"verdict", "text"}, {"because", "text"},
                   {"duration", ""},     {"report", "text"},  {"compared with", "text"}};
  for (const NightlyResult& result : results) {
    const NightlyVerdictInfo& verdict = InfoOf(result.verdict);
    table.rows.push_back(
        {{HtmlEscape(result.label), std::nullopt, "text"},
         {fmt::format("<span class=\"verdict {}\">{}</span>", verdict.tone, verdict.name),
          std::nullopt, "text"},
         {HtmlEscape(result.sentence), std::nullopt, "text wrap"},
         {PrintDuration(result.duration_s), result.duration_s},
         {ReportLink(result.folder, out, "report"), std::nullopt, "text"},
         {ReportLink(result.baseline, out, "earlier report"), std::nullopt, "text"}});
  }
  return table.Render();
}

}  // namespace

Json NightlyToJson(const NightlyHeading& heading, const std::vector<NightlyResult>& results) {
  Json scenarios = Json::array();
  for (const NightlyResult& result : results) {
    const NightlyVerdictInfo& verdict = InfoOf(result.verdict);
    scenarios.push_back({{"label", result.label},
                         {"scenario", result.scenario},
                         {"verdict", verdict.name},
                         {"exit_code", verdict.exit_code},
                         {"sentence", result.sentence},
                         {"duration_s", result.duration_s},
                         {"folder", result.folder.string()},
                         {"baseline", result.baseline.string()}});
  }
  return {{"format", 1},
          {"suite", heading.suite},
          {"time", heading.time},
          {"commit", heading.commit},
          {"exit_code", WorstExitCode(results)},
          {"scenarios", std::move(scenarios)}};
}

std::string NightlyToJunit(const NightlyHeading& heading,
                           const std::vector<NightlyResult>& results) {
  std::string cases;
  int failures = 0;
  int errors = 0;
  int skipped = 0;
  for (const NightlyResult& result : results) {
    const std::string sentence = HtmlEscape(result.sentence);
    cases += fmt::format("  <testcase classname=\"nightly\" name=\"{}\" time=\"{:.3f}\"",
                         HtmlEscape(result.label), result.duration_s);
    const NightlyVerdictInfo& verdict = InfoOf(result.verdict);
    switch (verdict.junit) {
      case JunitElement::kNone:
        cases += "/>\n";
        continue;
      case JunitElement::kSkipped:
        ++skipped;
        cases += fmt::format(">\n    <skipped message=\"{}\"/>\n", sentence);
        break;
      case JunitElement::kFailure:
        ++failures;
        cases +=
            fmt::format(">\n    <failure type=\"{}\" message=\"{}\"/>\n", verdict.name, sentence);
        break;
      case JunitElement::kError:
        ++errors;
        cases +=
            fmt::format(">\n    <error type=\"{}\" message=\"{}\"/>\n", verdict.name, sentence);
        break;
    }
    cases += "  </testcase>\n";
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"nightly\" timestamp=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
      "skipped=\"{}\" time=\"{:.3f}\">\n{}</testsuite>\n",
      heading.time, results.size(), failures, errors, skipped, TotalSeconds(results), cases);
}

std::string NightlyToHtml(const NightlyHeading& heading, const std::vector<NightlyResult>& results,
                          const fs::path& out) {
  HtmlPage page;
  page.title = "Nightly benchmarks";
  page.byline_html =
      fmt::format("<code>{}</code>, {}, idbench <code>{}</code>", HtmlEscape(heading.suite),
                  HtmlEscape(heading.time), HtmlEscape(heading.commit));
  page.lead_html = Figures(results);
  page.sections.push_back({"scenarios", "Scenarios", ResultTable(results, out)});
  page.sections.push_back({"trends", "Trends",
                           "<p class=\"lead\"><a href=\"trends.html\">All nights of the history, "
                           "run by run</a>, with the changes that were found.</p>\n"});
  return page.Render(std::nullopt);
}

std::string NightlyToText(const std::vector<NightlyResult>& results) {
  std::size_t width = 0;
  for (const NightlyResult& result : results) width = std::max(width, result.label.size());
  std::string text;
  for (const NightlyResult& result : results) {
    text +=
        fmt::format("{:<{}}  {:<13} {:>12}  {}\n", result.label, width, InfoOf(result.verdict).name,
                    PrintDuration(result.duration_s), result.sentence);
  }
  return text;
}

}  // namespace idbench
