#include "reports/page/html.h"

#include <doctest/doctest.h>

#include "reports/charts/spread_charts.h"
#include "reports/charts/sweep_charts.h"
#include "reports/page/html_sections.h"
#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A sample run in a folder, and its page.
class PageOf {
 public:
  explicit PageOf(const SampleRun& run) { run.WriteTo(folder_.path()); }

  const std::filesystem::path& path() const { return folder_.path(); }

  std::string Render(const std::optional<std::string>& script = "let vega;") const {
    const RunFolder run(path());
    const Summary summary = Summarise(run);
    std::vector<Chart> charts = MakeSweepCharts(summary, run.manifest());
    for (Chart& chart : MakeSpreadCharts(summary, run.manifest())) charts.push_back(chart);
    return RenderHtml(run, summary, MakeTables(summary, run.manifest()), charts, script);
  }

 private:
  TemporaryFolder folder_;
};

TEST_CASE("A page is one file: nothing in it refers to another") {
  const std::string page = PageOf(SampleRun()).Render();
  CHECK(page.starts_with("<!DOCTYPE html>\n"));
  for (const char* link : {"src=", "href=\"http", "@import", "url("}) {
    CAPTURE(link);
    CHECK_FALSE(Has(page, link));
  }
  CHECK(Has(page, "default-src 'none'"));
  CHECK(Has(page, "<script>let vega;</script>"));
}

TEST_CASE("The robot's motion stands before the charts, with what draws it") {
  const PageOf run{SampleRun()};
  CHECK_FALSE(Has(run.Render(), "id=\"motion\""));
  std::filesystem::create_directories(run.path() / "series");
  WriteText(run.path() / "series" / "motions.jsonl",
            Json({{"cell", 0},
                  {"trial", 0},
                  {"experiment", "a"},
                  {"t_s", {0.0}},
                  {"gravity", {0.0, 0.0, -9.81}},
                  {"frames", {"link1"}},
                  {"parents", {-1}},
                  {"joints", {"joint1"}},
                  {"q", Json::parse("[[0.0]]")},
                  {"points", Json::parse("[[[0.0, 0.0, 0.1]]]")}})
                .dump());
  const std::string page = run.Render();
  const std::size_t motion = page.find("<section id=\"motion\">");
  CHECK(motion < page.find("<section id=\"charts\">"));
  CHECK(Has(page, "<li><a href=\"#motion\">Motion</a></li>"));
  CHECK(Has(page, "class MotionFigure"));
}

TEST_CASE("A page is made again with the same bytes") {
  const PageOf page{SampleRun()};
  CHECK(page.Render() == page.Render());
}

TEST_CASE("What comes from data is text, wherever it stands") {
  const std::string evil = "</script><script>alert(1)</script>";
  SampleRun run;
  run.manifest["scenario"]["title"] = evil;
  run.manifest["scenario"]["name"] = evil;
  run.manifest["scenario"]["tables"] = Json::array({{{"caption", evil}}});
  run.manifest["scenario"]["robot"] = {{"model", evil}};
  run.manifest["scenario"]["experiments"] = {{evil, {{"role", evil}}}};
  run.manifest["estimators"] = {"ols", evil};
  run.manifest["cells"] = Json::array(
      {{{"index", 0}, {"axes", {{evil, "1"}}}}, {{"index", 1}, {"axes", {{evil, evil}}}}});
  run.manifest["marks"] = {evil};
  run.manifest["absent_metrics"] = {{"nees", evil}};
  run.manifest["commit"] = evil;
  run.manifest["fingerprint"] = evil;
  run.manifest["versions"] = {{evil, evil}};
  run.change = [](Json& record) {
    if (record["trial"] == 1) SampleRun::Fail(record, "</script><script>", "<script>");
  };
  const std::string page = PageOf(run).Render();
  std::size_t scripts = 0;
  for (std::size_t at = page.find("<script"); at != std::string::npos;
       at = page.find("<script", at + 1)) {
    ++scripts;
  }
  CHECK(scripts == 3);  // data, Vega-Lite, behaviour
  CHECK_FALSE(Has(page, "alert(1)</script>"));
}

TEST_CASE("The data of the charts are JSON without a number that is none") {
  const std::string page = PageOf(SampleRun()).Render();
  const std::string begin = "id=\"chart-data\">";
  const std::size_t at = page.find(begin) + begin.size();
  const Json data = Json::parse(page.substr(at, page.find("</script>", at) - at));
  CHECK(data["estimators"] == Json::array({"ols", "wls"}));
  REQUIRE(data["charts"].size() == 2);
  for (const Json& chart : data["charts"]) {
    CHECK(Has(page, "id=\"chart-" + chart["name"].get<std::string>() + "\""));
    for (const Json& view : chart["views"]) {
      CHECK(view["labels"].size() == chart["choices"].size());
      CHECK_FALSE(view["patch"]["data"]["values"].empty());
    }
  }
}

TEST_CASE("Without Vega-Lite a page has its tables, and says why there are no charts") {
  const std::string page = PageOf(SampleRun()).Render(std::nullopt);
  CHECK(Has(page, "There are no charts here: Vega-Lite, which draws them, was not found"));
  CHECK_FALSE(Has(page, "id=\"chart-data\""));
  CHECK(Has(page, "<table class=\"sortable\">"));
}

TEST_CASE("What a reader must know comes first: failures, missing trials, absent metrics") {
  SampleRun run;
  run.manifest["absent_metrics"] = {{"nees", "no covariance"}, {"coverage95", "no covariance"}};
  run.manifest["commit"] = "abc-dirty";
  run.manifest["build"] = {{"optimised", true}, {"assertions", true}};
  run.manifest["trials"] = 12;
  run.change = [](Json& record) {
    if (record["trial"] == 11) record = Json::object();
    if (record.value("trial", 0) == 2) SampleRun::Fail(record, "diverged", "why");
  };
  const PageOf page(run);
  const RunFolder folder(page.path());
  CHECK(
      HtmlMessages(Summarise(folder), folder.manifest()) ==
      "<ul class=\"messages\">\n"
      "<li class=\"bad\"><strong>Incomplete:</strong> 44 of 48 estimates were made</li>\n"
      "<li class=\"bad\">ols: 2 of 22 estimates failed (diverged 2)</li>\n"
      "<li class=\"bad\">wls: 2 of 22 estimates failed (diverged 2)</li>\n"
      "<li class=\"warn\"><strong>Absent:</strong> nees, coverage95: no covariance</li>\n"
      "<li class=\"warn\">idbench was built from a tree with uncommitted changes: its commit "
      "alone does not tell what ran</li>\n"
      "<li class=\"warn\">idbench was built without optimisation or with assertions: its durations "
      "are not those of a release</li>\n"
      "</ul>\n");
  CHECK(Has(HtmlProvenance(folder.manifest()), "optimised true · assertions true"));
}

TEST_CASE("Notes that all tables share stand once, behind the tables of metrics") {
  Table table;
  table.columns = {{"ols", {}}};
  table.notes = {"own", "shared"};
  Table timing = table;
  timing.notes = {"medians"};
  timing.of_metrics = false;
  const std::string html = HtmlTables({table, table, timing});
  const std::size_t at =
      html.find("<p>Of all tables above:</p>\n<ul class=\"notes\">\n<li>own</li>");
  CHECK(at < html.find("<li>medians</li>"));
  CHECK(html.find("<li>shared</li>") > at);
  CHECK(html.find("<li>shared</li>") == html.rfind("<li>shared</li>"));
}

TEST_CASE("A table marks what is best, failed, absent and published") {
  Table table;
  table.caption = "Errors";
  table.row_header = "joint";
  table.row_labels = {"a", "b", "failed"};
  table.columns = {{"ols",
                    {{"0.3 ≈[0.2, 0.4]", 0.31, ConfidenceInterval{0.2, 0.4, true}, true},
                     {"failed", {}, {}},
                     {"2", {}, {}}}},
                   {"ols (published)",
                    {{"0.3", 0.3, {}}, {kEmptyEntry, {}, {}}, {"", {}, {}}},
                    TableColumn::Kind::kPublished}};
  table.last_row_counts_failures = true;
  table.notes = {"12 trials"};
  const std::string html = HtmlFigure(table, 4);
  CHECK(Has(html, "<span class=\"number\">Table 4</span><b>Errors</b>"));
  CHECK(Has(html,
            "<td data-v=\"0.31\"><span class=\"best\">0.3</span> <span class=\"interval\">≈[0.2, "
            "0.4]</span></td>"));
  CHECK(Has(html, "<td class=\"failures\">failed</td><td class=\"absent\">–</td>"));
  CHECK(Has(html, "<td class=\"published\" data-v=\"0.3\">0.3</td>"));
  CHECK(
      Has(html, "<tfoot>\n<tr><th scope=\"row\">failed</th><td class=\"failures\" data-v=\"2\">2"));
  CHECK(Has(html, "<li>12 trials</li>"));
  table.caption = "Table I";
  CHECK_FALSE(Has(HtmlFigure(table, 4), "class=\"number\""));
}

TEST_CASE("Observers and observations are counted apart from estimators and estimates") {
  SampleRun run;
  run.AddObservers();
  run.manifest["scenario"]["observers"] = {{"T2", {{"type", "contact_statistic"}}}};
  run.change = [](Json& record) {
    if (record["trial"] == 0 && record.value("observer", "") == "force") {
      SampleRun::Fail(record, "diverged", "");
    }
  };
  const std::string page = PageOf(run).Render();
  for (const char* const part :
       {"<dt>estimators</dt><dd>2</dd>", "<dt>observers</dt><dd>2</dd>",
        "<dt>estimates</dt><dd>48</dd>", "<dt>failed</dt><dd>0</dd>",
        "<dt>observations</dt><dd>96</dd>", "<dt>failed observations</dt><dd>2</dd>",
        "force of ols: 2 of 24 observations failed (diverged 2)",
        "T2 <span class=\"unit\">(contact_statistic)"}) {
    CAPTURE(part);
    CHECK(Has(page, part));
  }
  CHECK_FALSE(Has(page, "Incomplete"));
  CHECK_FALSE(Has(PageOf(SampleRun()).Render(), "<dt>observ"));
}

}  // namespace
}  // namespace idbench
