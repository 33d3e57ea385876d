#include "reports/charts/parameter_chart.h"

#include <doctest/doctest.h>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Charts of a sample run of estimators `file` (a prior) and `wls` with that identified.json.
std::vector<Chart> ParameterCharts(const std::string& estimators) {
  SampleRun run;
  run.manifest["scenario"]["estimators"] = {{"file", {{"type", "prior_only"}}},
                                            {"wls", Json::object()}};
  const TemporaryFolder folder;
  run.WriteTo(folder.path());
  WriteText(folder.path() / "identified.json",
            R"({"format":1,"cells":[{"cell":1,"trial":3,"estimators":[)" + estimators + "]}]}");
  return MakeParameterChart(RunFolder(folder.path()));
}

constexpr const char* kFile = R"({"label":"file","untaught":true,"parameters":[
    {"name":"link1.m","unit":"kg","value":2.0},{"name":"joint1.fc","unit":"N·m","value":0.0}]})";

TEST_CASE("A view per kind of parameter has values before and after, interval and truth") {
  const std::vector<Chart> charts = ParameterCharts(std::string(kFile) + R"(,
    {"label":"wls","parameters":[
      {"name":"link1.m","unit":"kg","value":3.0,"sigma":0.5,"true":2.5},
      {"name":"joint1.fc","unit":"N·m","value":0.25},
      {"name":"joint2.offset","unit":"N·m","value":-0.5}],
     "standard":[{"name":"joint2.offset","hardly":[{"name":"joint2.offset"}]}]})");
  REQUIRE(charts.size() == 1);
  const Chart& chart = charts[0];
  CHECK(chart.name == "parameters");
  CHECK(chart.choices == std::vector<std::string>{"parameters", "estimator", "cell", "trial"});
  REQUIRE(chart.views.size() == 2);
  CHECK(chart.views[0].labels ==
        std::vector<std::string>{"mass [kg]", "wls", "torque noise 0.2", "3"});
  CHECK(chart.views[0].patch["data"]["values"] == Json::array({{{"n", "link1.m"},
                                                                {"after", 3.0},
                                                                {"before", 2.0},
                                                                {"true", 2.5},
                                                                {"l", 2.02},
                                                                {"h", 3.98}}}));
  // Values from 2 to 3, half of that further for the interval: to 3.5, and 6 % of 1.5.
  CHECK(chart.views[0].patch["encoding"]["x"]["scale"]["domain"] == Json::array({1.91, 3.59}));
  CHECK(chart.views[1].patch["height"] == 2 * chart.views[0].patch["height"].get<int>());
  CHECK(chart.views[1].labels[0] == "fc, offset [N·m]");
  CHECK(chart.views[1].patch["data"]["values"] ==
        Json::array({{{"n", "joint1.fc"}, {"after", 0.25}, {"before", 0.0}},
                     {{"n", "joint2.offset"}, {"after", -0.5}, {"d", 1}}}));
  CHECK(chart.spec["encoding"]["color"]["scale"]["domain"] ==
        Json::array({"after", "before", "true"}));
}

TEST_CASE("Where σ is of combinations, these are drawn; the last estimator comes first") {
  const std::vector<Chart> charts = ParameterCharts(std::string(kFile) + R"(,
    {"label":"ols","parameters":[{"name":"link1.m","unit":"kg","value":3.0}],
     "covariance":{"basis":[{"name":"link1.m_R","unit":"kg","value":7.0,"sigma":0.5,
                             "factors":{"link1.m":2}}]}},
    {"label":"wls","parameters":[{"name":"link1.m","unit":"kg","value":3.0}]})");
  REQUIRE(charts.at(0).views.size() == 2);
  CHECK(charts[0].views[0].labels[1] == "wls");
  const Json& row = charts[0].views[1].patch["data"]["values"][0];
  CHECK(row["n"] == "link1.m_R");
  CHECK(row["before"] == 4.0);
  CHECK(row["h"] == doctest::Approx(7.98));
}

TEST_CASE("There is no chart of parameters without any, and a damaged file is named") {
  const TemporaryFolder folder;
  SampleRun().WriteTo(folder.path());
  CHECK(MakeParameterChart(RunFolder(folder.path())).empty());
  CHECK(ParameterCharts(kFile).empty());
  const auto message = [&](const char* text) {
    WriteText(folder.path() / "identified.json", text);
    return MessageOf(folder.path(), [&] { MakeParameterChart(RunFolder(folder.path())); });
  };
  CHECK(message(R"({"cells":[{}]})").starts_with("identified.json: "));
  CHECK(message(R"({"cells":[{"cell":9,"trial":0,"estimators":[]}]})")
            .starts_with("identified.json: names a cell that is not among the 2 of the run"));
}

}  // namespace
}  // namespace idbench
