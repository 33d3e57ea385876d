#include "reports/charts/friction_chart.h"

#include <doctest/doctest.h>

#include <vector>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A sample run with friction curves.
class FrictionRun {
 public:
  FrictionRun() {
    SampleRun().WriteTo(folder_.path());
    std::filesystem::create_directory(folder_.path() / "series");
  }

  std::vector<Chart> Charts(const std::vector<Json>& lines) const {
    std::string text;
    for (const Json& line : lines) text += line.dump() + '\n';
    if (!lines.empty()) WriteText(folder_.path() / "series" / "friction.jsonl", text);
    return MakeFrictionChart(RunFolder(folder_.path()));
  }
  std::string Message(const Json& line) const {
    return MessageOf(folder_.path(), [&] { Charts({line}); });
  }

 private:
  TemporaryFolder folder_;
};

Json FrictionLine(const char* estimator, const char* joint) {
  return {{"cell", 0},
          {"trial", 0},
          {"estimator", estimator},
          {"joint", joint},
          {"units", {{"velocity", "m/s"}, {"torque", "N"}}},
          {"covered", {-1.0, 2.0}},
          {"velocity", {-1.0, 0.0, 2.0}},
          {"torque", {-3.0, 0.0, 5.0}}};
}

TEST_CASE("A joint's friction has a line per estimator, with what it states and the truth") {
  Json ols = FrictionLine("ols", "rail");
  ols["sigma"] = {0.5, 0.25, 0.5};
  ols["true"] = {-4.0, 0.0, 6.0};
  const std::vector<Chart> charts =
      FrictionRun().Charts({ols, FrictionLine("wls", "rail"), FrictionLine("ols", "swing")});
  REQUIRE(charts.size() == 1);
  CHECK(charts[0].name == "friction");
  CHECK(charts[0].choices == std::vector<std::string>{"joint", "cell", "trial"});
  REQUIRE(charts[0].views.size() == 2);
  const ChartView& rail = charts[0].views[0];
  CHECK(rail.labels == std::vector<std::string>{"rail", "torque noise 0.1", "0"});
  CHECK(rail.patch["data"]["values"] == Json::array({{{"e", "ols"},
                                                      {"t", {-1.0, 0.0, 2.0}},
                                                      {"y", {-3.0, 0.0, 5.0}},
                                                      {"s", {0.5, 0.25, 0.5}},
                                                      {"w", {-4.0, 0.0, 6.0}}},
                                                     {{"e", "wls"},
                                                      {"t", {-1.0, 0.0, 2.0}},
                                                      {"y", {-3.0, 0.0, 5.0}},
                                                      {"s", Json::array()},
                                                      {"w", Json::array()}}}));
  const Json& encoding = rail.patch["encoding"];
  CHECK(encoding["x"]["title"] == "velocity [m/s]");
  CHECK(encoding["x"]["scale"]["domain"] == Json::array({-1.0, 2.0}));
  CHECK(encoding["y"]["title"] == "friction of rail [N]");
  // From −4 to 6, the truth, and 6 % of 10 on either side.
  CHECK(encoding["y"]["scale"]["domain"] == Json::array({-4.6, 6.6}));
}

TEST_CASE("A band that leaves the axis is cut off, and does not squeeze the curves") {
  Json line = FrictionLine("ols", "rail");
  line["sigma"] = {1000.0, 0.5, 1000.0};
  const std::vector<Chart> charts = FrictionRun().Charts({line});
  // The curve itself: from −3 to 5, and 6 % of 8 on either side.
  CHECK(charts.at(0).views[0].patch["encoding"]["y"]["scale"]["domain"] ==
        Json::array({-3.48, 5.48}));
  const Json& band = charts[0].spec["layer"][0];
  CHECK(band["mark"] == Json({{"type", "area"}, {"clip", true}}));
  CHECK(band["encoding"]["y2"]["field"] == "h");
}

TEST_CASE("Without the file there is no chart of friction, and a damaged one is named") {
  const FrictionRun run;
  CHECK(run.Charts({}).empty());
  Json line = FrictionLine("ols", "rail");
  line["torque"] = {1.0};
  CHECK(run.Message(line).ends_with("friction.jsonl: line 1: torque: got 1 entries, not 3"));
}

}  // namespace
}  // namespace idbench
