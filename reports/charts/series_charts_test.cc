#include "reports/charts/series_charts.h"

#include <doctest/doctest.h>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A sample run whose cells estimate two parameters, in a folder with a file of series.
class SeriesRun {
 public:
  SeriesRun() {
    SampleRun run;
    run.manifest["trials"] = 1;
    for (Json& cell : run.manifest["cells"]) {
      cell["parameters"] = {"link1.m", "joint1.fv"};
      cell["units"] = {"kg", "1"};
    }
    run.WriteTo(folder_.path());
    std::filesystem::create_directory(folder_.path() / "series");
  }

  std::vector<Chart> Charts(const std::string& name, const std::string& text) const {
    WriteText(folder_.path() / "series" / name, text);
    return MakeSeriesCharts(RunFolder(folder_.path()));
  }
  std::string Message(const std::string& name, const std::string& text) const {
    return MessageOf(folder_.path(), [&] { Charts(name, text); });
  }

 private:
  TemporaryFolder folder_;
};

/// A track of `count` samples: x = (k, −k), σ = 0.5.
Json Track(int count, const char* estimator = "ols") {
  Json track = {{"cell", 0}, {"trial", 0}, {"estimator", estimator}, {"t_s", Json::array()}};
  for (int k = 0; k < count; ++k) {
    track["t_s"].push_back(0.1 * k);
    track["x"].push_back({k, -k});
    track["sigma"].push_back({0.5, 0.5});
  }
  track["x_true"] = {7.5, 3.5};
  return track;
}

TEST_CASE("Methods that take all data at once have a point beside tracks, and no chart alone") {
  CHECK(SeriesRun().Charts("tracks.jsonl", Track(1).dump()).empty());
  const std::vector<Chart> charts =
      SeriesRun().Charts("tracks.jsonl", Track(1).dump() + "\n" + Track(3, "wls").dump());
  REQUIRE(charts.size() == 1);
  const std::string spec = charts[0].spec.dump();
  CHECK(spec.find("datum.n == 1") != std::string::npos);
  CHECK(spec.find("length(datum.t)") < spec.find("\"flatten\""));
}

TEST_CASE("A track is drawn for each parameter, with its σ and the true value") {
  const std::vector<Chart> charts =
      SeriesRun().Charts("tracks.jsonl", Track(3).dump() + "\n" + Track(2, "wls").dump() + "\n");
  REQUIRE(charts.size() == 1);
  const Chart& chart = charts[0];
  CHECK(chart.name == "track");
  CHECK(chart.choices == std::vector<std::string>{"parameter", "cell", "trial"});
  REQUIRE(chart.views.size() == 2);
  CHECK(chart.views[0].labels == std::vector<std::string>{"link1.m", "torque noise 0.1", "0"});
  CHECK(chart.views[0].patch["encoding"]["y"]["title"] == "link1.m [kg]");
  CHECK(chart.views[1].patch["encoding"]["y"]["title"] == "joint1.fv");
  const Json& rows = chart.views[1].patch["data"]["values"];
  REQUIRE(rows.size() == 2);
  CHECK(rows[0] == Json({{"e", "ols"},
                         {"t", {0.0, 0.1, 0.2}},
                         {"y", {0.0, -1.0, -2.0}},
                         {"s", {0.5, 0.5, 0.5}},
                         {"w", Json::array()},
                         {"v", 3.5}}));
  // From −2 − 2σ to the truth, and 6 % of that on either side.
  CHECK(chart.views[1].patch["encoding"]["y"]["scale"]["domain"] == Json::array({-3.39, 3.89}));
}

TEST_CASE("The parameter that the data taught most is shown first") {
  Json track = Track(3);
  track["sigma"] = {{0.5, 0.5}, {0.5, 0.2}, {0.4, 0.1}};
  Json elsewhere = Track(3);
  elsewhere["cell"] = 1;
  elsewhere["sigma"] = {{0.5, 0.5}, {0.5, 0.2}, {0.001, 0.4}};
  const std::vector<Chart> charts =
      SeriesRun().Charts("tracks.jsonl", track.dump() + "\n" + elsewhere.dump() + "\n");
  std::vector<std::string> shown;
  for (const ChartView& view : charts.at(0).views) {
    shown.push_back(view.labels[0] + ", " + view.labels[1]);
  }
  CHECK(shown == std::vector<std::string>{"joint1.fv, torque noise 0.1",
                                          "link1.m, torque noise 0.1", "link1.m, torque noise 0.2",
                                          "joint1.fv, torque noise 0.2"});
}

TEST_CASE("A track without σ and truth has neither band nor line") {
  Json track = Track(2);
  track.erase("sigma");
  track.erase("x_true");
  track["x"][1][0] = nullptr;  // not finite
  const Json row =
      SeriesRun().Charts("tracks.jsonl", track.dump())[0].views[0].patch["data"]["values"][0];
  CHECK(row == Json({{"e", "ols"},
                     {"t", {0.0, 0.1}},
                     {"y", {0.0, nullptr}},
                     {"s", Json::array()},
                     {"w", Json::array()}}));
}

TEST_CASE("A true value that changes is drawn over time") {
  Json track = Track(3);
  track["x_true"] = {{0.0, 1.0}, {0.0, 2.0}, {9.0, 3.0}};
  const std::vector<Chart> charts = SeriesRun().Charts("tracks.jsonl", track.dump());
  const ChartView& view = charts[0].views[0];
  CHECK(view.patch["data"]["values"][0] == Json({{"e", "ols"},
                                                 {"t", {0.0, 0.1, 0.2}},
                                                 {"y", {0.0, 1.0, 2.0}},
                                                 {"s", {0.5, 0.5, 0.5}},
                                                 {"w", {0.0, 0.0, 9.0}}}));
  // From 0 to the truth, and 6 % of that on either side.
  CHECK(view.patch["encoding"]["y"]["scale"]["domain"] == Json::array({-0.54, 9.54}));
}

TEST_CASE("A long track is thinned evenly and keeps its end") {
  const std::vector<Chart> charts = SeriesRun().Charts("tracks.jsonl", Track(1001).dump());
  const Json& y = charts[0].views[0].patch["data"]["values"][0]["y"];
  CHECK(y.size() <= 260);
  CHECK(y.size() > 200);
  CHECK(y.back() == 1000.0);
  CHECK(y[1].get<double>() - y[0].get<double>() == y[2].get<double>() - y[1].get<double>());
}

TEST_CASE("Residuals are drawn row by row") {
  const Json line = {{"cell", 1},
                     {"trial", 0},
                     {"estimator", "ols"},
                     {"experiment", "validation"},
                     {"channel", "joint_torque"},
                     {"t_s", {0.0, 0.1}},
                     {"rows", {"joint1", "joint2"}},
                     {"residual", {{0.25, -0.5}, {1.0, 2.0}}}};
  const std::vector<Chart> charts = SeriesRun().Charts("residuals.jsonl", line.dump() + "\n");
  REQUIRE(charts.size() == 1);
  CHECK(charts[0].name == "residual");
  REQUIRE(charts[0].views.size() == 2);
  CHECK(charts[0].views[0].labels ==
        std::vector<std::string>{"validation", "joint_torque", "joint1", "torque noise 0.2", "0"});
  CHECK(charts[0].views[0].patch["encoding"]["y"]["title"] == "residual of joint1 [N·m]");
  CHECK(charts[0].views[1].patch["data"]["values"][0] ==
        Json({{"e", "ols"}, {"t", {0.0, 0.1}}, {"y", {1.0, 2.0}}}));
}

TEST_CASE("A residual is in N·m unless its line states another unit") {
  const Json line = {{"cell", 0},
                     {"trial", 0},
                     {"estimator", "ols"},
                     {"experiment", "validation"},
                     {"channel", "joint_torque"},
                     {"t_s", {0.0, 0.1}},
                     {"rows", {"rail", "swing"}},
                     {"residual", {{0.25, -0.5}, {1.0, 2.0}}},
                     {"units", {{"rail", "N"}}}};
  const std::vector<Chart> charts = SeriesRun().Charts("residuals.jsonl", line.dump() + "\n");
  REQUIRE(charts.size() == 1);
  CHECK(charts[0].views[0].patch["encoding"]["y"]["title"] == "residual of rail [N]");
  CHECK(charts[0].views[1].patch["encoding"]["y"]["title"] == "residual of swing [N·m]");
}

TEST_CASE("A run without series has no charts of them") {
  CHECK(SeriesRun().Charts("other.jsonl", "").empty());
}

TEST_CASE("Only so many views are made, and a note tells") {
  std::string lines;
  for (int trial = 0; trial < 40; ++trial) {
    Json track = Track(2);
    track["trial"] = trial;
    lines += track.dump() + '\n';
  }
  const Chart chart = SeriesRun().Charts("tracks.jsonl", lines)[0];
  CHECK(chart.views.size() == kMostSeriesViews);
  CHECK(chart.notes.back() == "the first 64 choices are shown");
}

TEST_CASE("Damaged series are refused, naming the line") {
  const SeriesRun run;
  CHECK(run.Message("tracks.jsonl", Track(2).dump() + "\n{\"cell\"") ==
        "series/tracks.jsonl: line 2: is not JSON");
  Json track = Track(2);
  track["cell"] = 5;
  CHECK(run.Message("tracks.jsonl", track.dump()) ==
        "series/tracks.jsonl: line 1: cell 5: the run has 2");
  track = Track(2);
  track["x"].push_back({1, 2});
  CHECK(run.Message("tracks.jsonl", track.dump()) ==
        "series/tracks.jsonl: line 1: x: got 3 entries, not 2");
  track = Track(2);
  track["sigma"][1] = {1};
  CHECK(run.Message("tracks.jsonl", track.dump()) ==
        "series/tracks.jsonl: line 1: sigma: got 1 entries, not 2");
  track = Track(2);
  track["x_true"] = {1};
  CHECK(run.Message("tracks.jsonl", track.dump()) ==
        "series/tracks.jsonl: line 1: x_true: got 1 entries, not 2");
  track = Track(2);
  track["x_true"] = {{1, 2}};
  CHECK(run.Message("tracks.jsonl", track.dump()) ==
        "series/tracks.jsonl: line 1: x_true: got 1 entries, not 2");
  CHECK(run.Message("tracks.jsonl", "{}").find("key 'cell' not found") != std::string::npos);
}

}  // namespace
}  // namespace idbench
