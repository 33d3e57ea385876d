#include "bench/nightly/nightly_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "bench/run/exit_code.h"
#include "reports/files/atomic_file.h"
#include "reports/files/number_format.h"
#include "reports/files/printable_text.h"
#include "reports/page/html_page.h"
#include "reports/page/html_text.h"
#include "scenarios/options/json.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

double TotalSeconds(const std::vector<NightlyResult>& results) {
  double sum = 0;
  for (const NightlyResult& result : results) sum += result.duration_s;
  return sum;
}

/// A text as content or attribute of HTML and of XML.
std::string Escaped(std::string_view text) { return HtmlEscape(PrintableText(text)); }

/// A path as a relative link: percent-encoded but for its slashes (RFC 3986, 2.1), so that no label
/// is read as a scheme ("javascript:"), a query or a fragment.
std::string LinkTo(const fs::path& path) {
  static constexpr std::string_view kPlain = "-._~/";
  std::string link;
  for (const char c : path.generic_string()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool alphanumeric = byte < 0x80U && std::isalnum(byte) != 0;
    if (alphanumeric || kPlain.find(c) != std::string_view::npos) {
      link += c;
    } else {
      link += fmt::format("%{:02X}", byte);
    }
  }
  return link;
}

/// A link to the best report of a run folder; nothing where there is none.
std::string ReportLink(const fs::path& folder, const fs::path& out, const std::string& text) {
  for (const char* name : {"report.html", "report.md"}) {
    if (folder.empty() || !fs::exists(folder / name)) continue;
    return fmt::format("<a href=\"{}\">{}</a>", LinkTo(fs::proximate(folder / name, out)),
                       Escaped(text));
  }
  return "";
}

std::string VerdictSpan(NightlyVerdict verdict) {
  return fmt::format("<span class=\"verdict {}\">{}</span>", InfoOf(verdict).tone,
                     ToString(verdict));
}

/// The runs that one was compared with, each with its verdict.
std::string ComparisonCell(const NightlyResult& result, const fs::path& out) {
  std::string html;
  for (const NightlyComparison& comparison : result.comparisons) {
    const std::string name = fmt::format("{} {}", ToString(comparison.against),
                                         fs::path(comparison.folder).filename().string());
    const std::string link = ReportLink(comparison.folder, out, name);
    html += fmt::format("{}{} {}", html.empty() ? "" : "<br>", link.empty() ? Escaped(name) : link,
                        VerdictSpan(comparison.verdict));
  }
  return html;
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
    table.rows.push_back({{Escaped(result.label), std::nullopt, "text"},
                          {VerdictSpan(result.verdict), std::nullopt, "text"},
                          {Escaped(result.sentence), std::nullopt, "text wrap"},
                          {PrintDuration(result.duration_s), result.duration_s},
                          {ReportLink(result.folder, out, "report"), std::nullopt, "text"},
                          {ComparisonCell(result, out), std::nullopt, "text"}});
  }
  return table.Render();
}

}  // namespace

Json NightlyToJson(const NightlyHeading& heading, const std::vector<NightlyResult>& results) {
  Json scenarios = Json::array();
  for (const NightlyResult& result : results) {
    const NightlyComparison* const worst = WorstOf(result.comparisons);
    scenarios.push_back({{"label", result.label},
                         {"scenario", result.scenario},
                         {"verdict", ToString(result.verdict)},
                         {"exit_code", InfoOf(result.verdict).exit_code},
                         {"sentence", result.sentence},
                         {"duration_s", result.duration_s},
                         {"folder", result.folder},
                         {"baseline", worst == nullptr ? "" : worst->folder},
                         {"comparisons", WriteValue(result.comparisons)}});
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
    const std::string sentence = Escaped(result.sentence);
    cases += fmt::format("  <testcase classname=\"nightly\" name=\"{}\" time=\"{:.3f}\"",
                         Escaped(result.label), result.duration_s);
    const std::string_view verdict = ToString(result.verdict);
    switch (InfoOf(result.verdict).junit) {
      case JunitElement::kNone:
        cases += "/>\n";
        continue;
      case JunitElement::kSkipped:
        ++skipped;
        cases += fmt::format(">\n    <skipped message=\"{}\"/>\n", sentence);
        break;
      case JunitElement::kFailure:
        ++failures;
        cases += fmt::format(">\n    <failure type=\"{}\" message=\"{}\"/>\n", verdict, sentence);
        break;
      case JunitElement::kError:
        ++errors;
        cases += fmt::format(">\n    <error type=\"{}\" message=\"{}\"/>\n", verdict, sentence);
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
      fmt::format("<code>{}</code>, {}, idbench <code>{}</code>", Escaped(heading.suite),
                  Escaped(heading.time), Escaped(heading.commit));
  page.lead_html = Figures(results);
  page.sections.push_back({"scenarios", "Scenarios", ResultTable(results, out)});
  page.sections.push_back({"trends", "Trends",
                           "<p class=\"lead\"><a href=\"trends.html\">All nights of the history, "
                           "run by run</a>, with the changes that were found.</p>\n"});
  return page.Render(std::nullopt);
}

void WriteNightlyPages(const NightlyHeading& heading, const std::vector<NightlyResult>& results,
                       const fs::path& out) {
  WriteAtomically(out / "nightly.json", JsonText(NightlyToJson(heading, results), 2) + "\n");
  WriteAtomically(out / "junit.xml", NightlyToJunit(heading, results));
  WriteAtomically(out / "index.html", NightlyToHtml(heading, results, out));
}

std::string NightlyToText(const std::vector<NightlyResult>& results) {
  std::size_t width = 0;
  for (const NightlyResult& result : results) width = std::max(width, result.label.size());
  std::string text;
  for (const NightlyResult& result : results) {
    text += fmt::format("{:<{}}  {:<13} {:>12}  {}\n", PrintableText(result.label), width,
                        ToString(result.verdict), PrintDuration(result.duration_s),
                        PrintableText(result.sentence));
  }
  return text;
}

}  // namespace idbench
