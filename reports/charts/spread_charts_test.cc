#include "reports/charts/spread_charts.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "reports/run/run_folder.h"
#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

std::vector<Chart> SpreadChartsOf(const SampleRun& run, const std::string& timings = "") {
  const TemporaryFolder folder;
  run.WriteTo(folder.path());
  if (!timings.empty()) WriteText(folder.path() / "timings.jsonl", timings);
  const RunFolder read(folder.path());
  return MakeSpreadCharts(Summarise(read), read.manifest());
}

TEST_CASE("A box spans the quartiles, its whiskers what few trials have") {
  const std::vector<Chart> charts = SpreadChartsOf(SampleRun());
  REQUIRE(charts.size() == 1);
  CHECK(charts[0].name == "distribution");
  CHECK(charts[0].views[1].labels ==
        std::vector<std::string>{"rmse_nm@validation", "torque noise 0.2"});
  // 1, 1.1, …, 2.1: type-7 quantiles at (N − 1)p = 2.75, 5.5, 8.25.
  const Json row = charts[0].views[0].patch["data"]["values"][0];
  CHECK(row == Json({{"e", "ols"},
                     {"n", 12},
                     {"f", 0},
                     {"m", 1.55},
                     {"a", 1.275},
                     {"b", 1.825},
                     {"l", 1.0},
                     {"h", 2.1}}));
}

TEST_CASE("A whisker that ends at a failure has no end, a median that is one no box") {
  SampleRun run;
  run.change = [](Json& record) {
    const bool most = record["estimator"] == "wls" && record["trial"].get<int>() < 7;
    if (most || record["trial"] == 3) SampleRun::Fail(record, "diverged", "");
  };
  const std::vector<Chart> charts = SpreadChartsOf(run);
  const Json& rows = charts[0].views[0].patch["data"]["values"];
  REQUIRE(rows.size() == 1);
  CHECK(rows[0]["e"] == "ols");
  CHECK(rows[0]["l"] == 1.0);
  CHECK_FALSE(rows[0].contains("h"));
}

TEST_CASE("Three trials make no distribution") {
  SampleRun run;
  run.manifest["trials"] = 3;
  CHECK(SpreadChartsOf(run).empty());
}

TEST_CASE("A performance profile is drawn from three cells on, over the first estimator") {
  SampleRun run;
  run.manifest["cells"].push_back({{"index", 2}, {"axes", {{"torque noise", "0.3"}}}});
  const std::vector<Chart> charts = SpreadChartsOf(run);
  REQUIRE(charts.size() == 2);
  const Chart& chart = charts[1];
  CHECK(chart.name == "profile");
  CHECK(chart.views[0].patch["encoding"]["x"]["title"] == "median over that of ols");
  // wls has half the error of ols in every cell, so its curve rises to 1 at 0.5.
  const Json& rows = chart.views[0].patch["data"]["values"];
  const Json expected = {{{"e", "ols"}, {"x", 0.5}, {"y", 0.0}},
                         {{"e", "ols"}, {"x", 1.0}, {"y", 1.0}},
                         {{"e", "wls"}, {"x", 0.5}, {"y", 1.0}},
                         {{"e", "wls"}, {"x", 1.0}, {"y", 1.0}}};
  CHECK(rows == expected);
}

TEST_CASE("No performance profile is drawn of metrics that other body frames may rank otherwise") {
  SampleRun run;
  run.manifest["cells"].push_back({{"index", 2}, {"axes", {{"torque noise", "0.3"}}}});
  for (Json& metric : run.manifest["metrics"]) metric["framed"] = true;
  for (const Chart& chart : SpreadChartsOf(run)) CHECK(chart.name != "profile");
}

TEST_CASE("Times are drawn where they were taken") {
  std::string timings;
  for (int i = 1; i <= 200; ++i) {
    timings +=
        fmt::format("{{\"cell\":0,\"estimator\":\"ols\",\"trial\":0,\"estimate_ms\":{}}}\n", i);
  }
  timings += "{\"cell\":0,\"estimator\":\"wls\",\"trial\":0,\"estimate_ms\":3,\"update_us\":[7]}\n";
  SampleRun run;
  run.manifest["trials"] = 1;
  const std::vector<Chart> charts = SpreadChartsOf(run, timings);
  REQUIRE(charts.size() == 1);
  const Chart& chart = charts[0];
  CHECK(chart.name == "timing");
  CHECK(LabelsOf(chart, 0) == std::vector<std::string>{"whole estimates", "single updates"});
  // Of 1 … 200: median 100.5, 99 % quantile at 197.01.
  const Json expected = {{{"e", "ols"}, {"m", 100.5}, {"h", 198.01}}, {{"e", "wls"}, {"m", 3.0}}};
  CHECK(chart.views[0].patch["data"]["values"] == expected);
  CHECK(chart.views[1].patch["data"]["values"][0]["m"] == 7.0);
}

}  // namespace
}  // namespace idbench
