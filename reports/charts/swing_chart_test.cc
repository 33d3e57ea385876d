#include "reports/charts/swing_chart.h"

#include <doctest/doctest.h>

#include <vector>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A sample run with swings.
class SwingRun {
 public:
  SwingRun() {
    SampleRun().WriteTo(folder_.path());
    std::filesystem::create_directory(folder_.path() / "series");
  }

  std::vector<Chart> Charts(const std::vector<Json>& lines) const {
    std::string text;
    for (const Json& line : lines) text += line.dump() + '\n';
    if (!lines.empty()) WriteText(folder_.path() / "series" / "swings.jsonl", text);
    return MakeSwingChart(RunFolder(folder_.path()));
  }
  std::string Message(const Json& line) const {
    return MessageOf(folder_.path(), [&] { Charts({line}); });
  }

 private:
  TemporaryFolder folder_;
};

Json SwingLine(const char* estimator, const char* swing) {
  return {{"cell", 0},
          {"trial", 0},
          {"estimator", estimator},
          {"swing", swing},
          {"columns", {"rod1", "rod2"}},
          {"units", {"rad", "rad"}},
          {"t_s", {0.0, 1.0, 2.0}},
          {"values", {{0.0, 0.5, -0.5}, {0.0, 0.25, -0.25}}}};
}

TEST_CASE("A swing has a view for each link, with a line per estimator that made it") {
  const std::vector<Chart> charts =
      SwingRun().Charts({SwingLine("ols", "1 × guess"), SwingLine("wls", "1 × guess"),
                         SwingLine("ols", "last fall")});
  REQUIRE(charts.size() == 1);
  CHECK(charts[0].name == "swings");
  CHECK(charts[0].choices == std::vector<std::string>{"swing", "link", "cell", "trial"});
  REQUIRE(charts[0].views.size() == 4);
  CHECK(charts[0].views[1].labels ==
        std::vector<std::string>{"1 × guess", "rod2", "torque noise 0.1", "0"});
  CHECK(charts[0].views[1].patch["data"]["values"] ==
        Json::array({{{"e", "ols"}, {"t", {0.0, 1.0, 2.0}}, {"y", {0.0, 0.25, -0.25}}},
                     {{"e", "wls"}, {"t", {0.0, 1.0, 2.0}}, {"y", {0.0, 0.25, -0.25}}}}));
}

TEST_CASE("Without swings there is no chart, and a damaged line is told") {
  CHECK(SwingRun().Charts({}).empty());
  Json damaged = SwingLine("ols", "a");
  damaged["values"].erase(1);
  CHECK(SwingRun().Message(damaged).find("values: got 1 entries, not 2") != std::string::npos);
}

}  // namespace
}  // namespace idbench
