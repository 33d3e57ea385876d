#include "reports/charts/sweep_charts.h"

#include <doctest/doctest.h>

#include "reports/run/run_folder.h"
#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

std::vector<Chart> SweepChartsOf(const SampleRun& run) {
  const TemporaryFolder folder;
  run.WriteTo(folder.path());
  const RunFolder read(folder.path());
  return MakeSweepCharts(Summarise(read), read.manifest());
}

TEST_CASE("Each metric is drawn against a swept axis, with the mean and its interval") {
  const std::vector<Chart> charts = SweepChartsOf(SampleRun());
  REQUIRE(charts.size() == 1);
  const Chart& chart = charts[0];
  CHECK(chart.name == "error_against_torque_noise");
  CHECK(chart.title == "Against torque noise");
  CHECK(LabelsOf(chart, 0) == std::vector<std::string>{"rmse_nm@validation", "relative_error"});
  const Json spec = Specification(chart, chart.views[0]);
  CHECK(spec["encoding"]["x"]["scale"]["domain"] == Json::array({0.1, 0.2}));
  CHECK(spec["encoding"]["y"]["title"] == Json::array({"rmse_nm [N·m]", "of validation"}));
  const Json& rows = spec["data"]["values"];
  REQUIRE(rows.size() == 4);  // two cells, two estimators
  // The mean of 1 + t/10 over t = 0 … 11.
  CHECK(rows[0]["e"] == "ols");
  CHECK(rows[0]["x"] == 0.1);
  CHECK(rows[0]["y"] == 1.55);
  CHECK(rows[0]["n"] == 12);
  CHECK(rows[0]["l"].get<double>() < 1.55);
  CHECK(rows[0]["h"].get<double>() > 1.55);
  CHECK(chart.notes.back() == "a band of fewer than 100 independent trials is approximate");
  CHECK(rows[3]["y"] == 1.55);  // wls has half of twice that in the second cell
}

TEST_CASE("An axis of words is drawn in its order, one of a single value not at all") {
  SampleRun run;
  run.manifest["cells"][0]["axes"] = {{"gear", "old"}, {"one", "1"}};
  run.manifest["cells"][1]["axes"] = {{"gear", "new"}, {"one", "1"}};
  const std::vector<Chart> charts = SweepChartsOf(run);
  REQUIRE(charts.size() == 1);
  CHECK(charts[0].spec["encoding"]["x"]["type"] == "ordinal");
  CHECK(charts[0].views[0].patch["data"]["values"][0]["x"] == "old");
  CHECK(LabelsOf(charts[0], 1) == std::vector<std::string>{"one 1"});
}

TEST_CASE("A failed estimate is counted, and without survivors there is no point") {
  SampleRun run;
  run.change = [](Json& record) {
    if (record["estimator"] != "wls") return;
    if (record["cell"] == 0 || record["trial"] == 0) SampleRun::Fail(record, "diverged", "");
  };
  const std::vector<Chart> charts = SweepChartsOf(run);
  const Json& rows = charts[0].views[0].patch["data"]["values"];
  REQUIRE(rows.size() == 3);
  CHECK(rows[2]["e"] == "wls");
  CHECK(rows[2]["n"] == 11);
  CHECK(rows[2]["f"] == 1);
}

/// A run with one cell whose metrics are those of checkpoints.
SampleRun RunWithCheckpoints() {
  SampleRun run;
  run.manifest["cells"] = Json::array({{{"index", 0}, {"axes", Json::object()}}});
  run.manifest["metrics"] = Json::object();
  for (const std::string at : {"@t=1", "@t=20"}) {
    run.manifest["metrics"]["base_parameter_relative_error" + at] = {{"unit", "1"},
                                                                     {"better", "lower"}};
    run.manifest["metrics"]["base_parameter_error_bound" + at] = {
        {"unit", "1"}, {"bounds", "base_parameter_relative_error" + at}};
  }
  run.change = [](Json& record) {
    record["metrics"] = {{"base_parameter_relative_error@t=1", {{"value", 0.5}}},
                         {"base_parameter_relative_error@t=20", {{"value", 0.02}}},
                         {"base_parameter_error_bound@t=1", {{"value", 0.4}}},
                         {"base_parameter_error_bound@t=20", {{"value", 0.01}}}};
  };
  return run;
}

TEST_CASE("Checkpoints make a chart over time, with the Cramér-Rao bound beside what it bounds") {
  const std::vector<Chart> charts = SweepChartsOf(RunWithCheckpoints());
  REQUIRE(charts.size() == 1);
  const Chart& chart = charts[0];
  CHECK(chart.name == "over_time");
  CHECK(chart.views.size() == 1);  // the bound is no metric of its own
  const Json spec = Specification(chart, chart.views[0]);
  CHECK(spec["encoding"]["x"]["scale"]["type"] == "log");  // 1 to 20 s
  CHECK(spec["encoding"]["y"]["scale"]["type"] == "log");
  CHECK(spec["encoding"]["y"]["scale"]["domain"] == Json::array({0.01, 0.5}));
  const Json& rows = spec["data"]["values"];
  REQUIRE(rows.size() == 6);
  CHECK(rows[4] == Json({{"k", "Cramér-Rao bound"}, {"x", 1.0}, {"y", 0.4}}));
  CHECK(rows[5] == Json({{"k", ""}, {"x", 20.0}, {"y", 0.01}}));
  CHECK(spec["layer"].size() == 5);
  CHECK(chart.notes.size() == 3);  // what is drawn, that it is approximate, and the bound
}

TEST_CASE("A run without a sweep and without checkpoints has no such chart") {
  SampleRun run;
  run.manifest["cells"] = Json::array({{{"index", 0}, {"axes", Json::object()}}});
  CHECK(SweepChartsOf(run).empty());
}

TEST_CASE("The number of views is bounded, and a note tells") {
  SampleRun run;
  run.manifest["trials"] = 1;
  Json cells = Json::array();
  for (int i = 0; i < 300; ++i) {
    cells.push_back(
        {{"index", i}, {"axes", {{"a", std::to_string(i % 2)}, {"b", std::to_string(i / 2)}}}});
  }
  run.manifest["cells"] = cells;
  const Chart chart = SweepChartsOf(run)[0];
  CHECK(chart.views.size() == kMostViews);
  CHECK(chart.notes.back() == "the first 200 choices are shown");
}

}  // namespace
}  // namespace idbench
