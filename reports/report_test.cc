#include "reports/report.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("A report writes the formats that are asked for") {
  const TemporaryFolder folder;
  SampleRun().WriteTo(folder.path());
  const Report report = WriteReport(folder.path());
  std::vector<std::string> names;
  for (const auto& file : report.files) {
    CHECK(std::filesystem::exists(file));
    names.push_back(std::filesystem::relative(file, folder.path()).string());
  }
  CHECK(names == std::vector<std::string>{"summary.json", "tables/statistics.csv",
                                          "tables/01_a_sample_run_rmse_nm_validation.csv",
                                          "tables/02_a_sample_run_relative_error.csv", "report.md",
                                          "report.html"});
  CHECK(ReadText(folder.path() / "report.md") == report.markdown);
  CHECK(
      report.markdown.starts_with("# A sample run\n"
                                  "\n"
                                  "scenario `sample`, seed 1, idbench abc123\n"
                                  "\n"
                                  "## A sample run: rmse_nm@validation\n"));
  CHECK(ReadJsonFile(folder.path() / "summary.json")["format"] == 1);

  const TemporaryFolder other;
  SampleRun().WriteTo(other.path());
  CHECK(WriteReport(other.path(), {ReportFormat::kJson}).files.size() == 1);
  CHECK_FALSE(std::filesystem::exists(other.path() / "report.md"));
}

TEST_CASE(
    "Torques come first on the page of a single trial, behind statistics on that of several") {
  for (const int trials : {1, 2}) {
    SampleRun run;
    run.manifest["trials"] = trials;
    const TemporaryFolder folder;
    run.WriteTo(folder.path());
    std::filesystem::create_directory(folder.path() / "series");
    WriteText(folder.path() / "series" / "residuals.jsonl",
              ParseJson(R"({"cell":0,"trial":0,"estimator":"ols","experiment":"validation",
                  "channel":"joint_torque","t_s":[0,1],"rows":["joint1"],"residual":[[1,2]],
                  "measured":[[3,4]]})",
                        "line")
                  .dump());
    WriteReport(folder.path(), {ReportFormat::kHtml});
    const std::string html = ReadText(folder.path() / "report.html");
    const std::size_t first = html.find("id=\"chart-");
    REQUIRE(html.find("id=\"chart-torque\"") != std::string::npos);
    CHECK((html.find("id=\"chart-torque\"") == first) == (trials == 1));
    CHECK(html.find("id=\"chart-torque\"") < html.find("id=\"chart-residual\""));
  }
}

TEST_CASE("A timed run has its durations as Google Benchmark writes them, an alarm stands on top") {
  const TemporaryFolder folder;
  SampleRun run;
  run.manifest["metrics"]["crlb_ratio"] = {
      {"unit", "1"}, {"components", Json::array()}, {"law", "unbiased_bound_ratio"}};
  run.manifest["unbiased"] = {"ols"};
  run.change = [](Json& record) {
    record["metrics"]["crlb_ratio"] = {{"value", 0.5}, {"count", 40}};
  };
  run.WriteTo(folder.path());
  WriteText(folder.path() / "timings.jsonl",
            "{\"cell\":0,\"estimator\":\"ols\",\"trial\":0,\"estimate_ms\":2}\n");
  const Report report = WriteReport(folder.path());
  CHECK(ReadJsonFile(folder.path() / "benchmark.json")["benchmarks"].size() == 1);
  const std::size_t alarm = report.markdown.find("**torque noise 0.1: crlb_ratio of ols is 0.5");
  CHECK(alarm < report.markdown.find("## A sample run"));
  CHECK(ReadText(folder.path() / "report.html").find("crlb_ratio of ols is 0.5") !=
        std::string::npos);
}

TEST_CASE("A report that is made again has the same bytes") {
  const TemporaryFolder folder;
  SampleRun().WriteTo(folder.path());
  std::vector<std::string> first;
  for (const auto& file : WriteReport(folder.path()).files) first.push_back(ReadText(file));
  std::vector<std::string> second;
  for (const auto& file : WriteReport(folder.path()).files) second.push_back(ReadText(file));
  CHECK(first == second);
}

TEST_CASE("A table of absent metrics alone has no CSV, one without a caption has a plain name") {
  const TemporaryFolder folder;
  SampleRun run;
  run.manifest["scenario"] = {
      {"tables", Json::array({{{"metric", "nees"}}, {{"cell", 0}, {"caption", "…"}}})}};
  run.manifest["absent_metrics"] = {{"nees", "no covariance"}};
  run.WriteTo(folder.path());
  const Report report = WriteReport(folder.path(), {ReportFormat::kCsv});
  REQUIRE(report.files.size() == 2);
  CHECK(report.files[1].filename() == "02_table.csv");
}

TEST_CASE("A LaTeX report reads the tables beside it") {
  const TemporaryFolder folder;
  SampleRun().WriteTo(folder.path());
  const Report report = WriteReport(folder.path(), {ReportFormat::kLatex, ReportFormat::kJunit});
  REQUIRE(report.files.size() == 4);
  CHECK(report.files[0].filename() == "junit.xml");
  CHECK(report.files[3].filename() == "report.tex");
  CHECK(ReadText(report.files[3]).find("\\input{tables/01_a_sample_run_rmse_nm_validation.tex}") !=
        std::string::npos);
}

TEST_CASE("Nothing is written of a damaged run") {
  const TemporaryFolder folder;
  SampleRun run;
  run.WriteTo(folder.path());
  WriteText(folder.path() / "records.jsonl", run.Records() + "{");
  CHECK_THROWS_AS(WriteReport(folder.path()), ConfigError);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "summary.json"));
}

TEST_CASE("Report formats have names") {
  CHECK(ParseReportFormat("md") == ReportFormat::kMarkdown);
  CHECK(ParseReportFormat("html") == ReportFormat::kHtml);
  CHECK(ParseReportFormat("tex") == ReportFormat::kLatex);
  CHECK(ParseReportFormat("junit") == ReportFormat::kJunit);
  CHECK(ParseReportFormat("csv") == ReportFormat::kCsv);
  CHECK(ParseReportFormat("json") == ReportFormat::kJson);
  CHECK_THROWS_WITH_AS(
      ParseReportFormat("odt"),
      "report format: got \"odt\", accepted are md, html, tex, csv, json, junit, svg, pdf",
      std::invalid_argument);
}

}  // namespace
}  // namespace idbench
