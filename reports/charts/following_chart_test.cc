#include "reports/charts/following_chart.h"

#include <doctest/doctest.h>

#include <vector>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A sample run with an experiment that was controlled with estimates.
class FollowingRun {
 public:
  FollowingRun() {
    SampleRun().WriteTo(folder_.path());
    std::filesystem::create_directory(folder_.path() / "series");
  }

  std::vector<Chart> Charts(const std::vector<Json>& lines) const {
    std::string text;
    for (const Json& line : lines) text += line.dump() + '\n';
    if (!lines.empty()) WriteText(folder_.path() / "series" / "following.jsonl", text);
    return MakeFollowingChart(RunFolder(folder_.path()));
  }
  std::string Message(const Json& line) const {
    return MessageOf(folder_.path(), [&] { Charts({line}); });
  }

 private:
  TemporaryFolder folder_;
};

Json FollowingLine(const char* estimator) {
  return {{"cell", 0},
          {"trial", 0},
          {"estimator", estimator},
          {"experiment", "painting"},
          {"joints", {"rail", "joint2"}},
          {"units", {{"rail", "m"}}},
          {"t_s", {0.0, 1.0}},
          {"desired", {{0.5, 0.5}, {1.0, 2.0}}},
          {"position", {{0.5, 0.25}, {1.0, 1.5}}}};
}

TEST_CASE("A joint has a view, with a line per estimator of how far the robot is behind") {
  const std::vector<Chart> charts =
      FollowingRun().Charts({FollowingLine("ols"), FollowingLine("wls")});
  REQUIRE(charts.size() == 1);
  CHECK(charts[0].name == "following");
  CHECK(charts[0].choices == std::vector<std::string>{"experiment", "joint", "cell", "trial"});
  REQUIRE(charts[0].views.size() == 2);
  CHECK(charts[0].views[0].labels ==
        std::vector<std::string>{"painting", "rail", "torque noise 0.1", "0"});
  CHECK(charts[0].views[0].patch.dump().find("rail: desired − true [m]") != std::string::npos);
  CHECK(charts[0].views[1].patch.dump().find("joint2: desired − true [rad]") != std::string::npos);
  CHECK(charts[0].views[1].patch["data"]["values"] ==
        Json::array({{{"e", "ols"}, {"t", {0.0, 1.0}}, {"y", {0.0, 0.5}}},
                     {{"e", "wls"}, {"t", {0.0, 1.0}}, {"y", {0.0, 0.5}}}}));
}

TEST_CASE("Without such experiments there is no chart, and a damaged line is told") {
  CHECK(FollowingRun().Charts({}).empty());
  Json damaged = FollowingLine("ols");
  damaged["position"].erase(1);
  CHECK(FollowingRun().Message(damaged).find("position: got 1 entries, not 2") !=
        std::string::npos);
}

}  // namespace
}  // namespace idbench
