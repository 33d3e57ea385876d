#include "reports/history/trend.h"

#include <doctest/doctest.h>

#include <chrono>

#include "reports/history/trend_page.h"
#include "reports/run/sample_run_test.h"
#include "reports/statistics/change_points.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

/// A history of the sample run, one night after the other.
class Nights {
 public:
  Nights() : history(root.path() / "h", IfMissing::kCreate) {}

  /// Adds a night: `factor` scales the errors of ols, `milliseconds` is the time of its estimates.
  void Add(double factor, double milliseconds, const std::string& title = "A",
           std::int64_t seed = 1) {
    SampleRun run;
    run.manifest["scenario"]["title"] = title;
    run.manifest["scenario"]["seed"] = seed;
    run.manifest["commit"] = fmt::format("c{}", ++count_);
    run.manifest["fingerprint"] = fingerprint;
    run.manifest["machine"]["processor"] = processor;
    run.change = [factor](Json& record) {
      if (record["estimator"] != "ols") return;
      Json& value = record["metrics"]["rmse_nm@validation"]["value"];
      value = factor * value.get<double>();
    };
    const fs::path folder = root.path() / fmt::format("{}", count_);
    fs::create_directories(folder);
    run.WriteTo(folder);
    WriteText(
        folder / "timings.jsonl",
        fmt::format("{{\"cell\":0,\"estimator\":\"ols\",\"estimate_ms\":{}}}\n", milliseconds));
    fs::last_write_time(folder / "records.jsonl",
                        fs::file_time_type::clock::now() + std::chrono::hours(count_));
    const RunFolder read(folder);
    history.Add(read, Summarise(read));
  }

  TemporaryFolder root;
  History history;
  std::string processor = "P1";
  std::string fingerprint = "f1";

 private:
  int count_ = 0;
};

TEST_CASE("A trend tells runs in their order, and the change of the one series that changed") {
  Nights nights;
  for (int night = 0; night < 8; ++night) nights.Add(night < 5 ? 1.0 : 1.1, 2.0);
  const std::vector<ScenarioTrend> trends = Trends(nights.history);
  REQUIRE(trends.size() == 1);
  CHECK(trends[0].scenario == "sample");
  CHECK(trends[0].headline == "rmse_nm@validation");
  CHECK(trends[0].left_out == 0);
  REQUIRE(trends[0].runs.size() == 8);
  CHECK(trends[0].runs.front().commit == "c1");
  REQUIRE(trends[0].series.size() == 5);  // two cells, two estimators, one of them timed in a cell
  for (const TrendSeries& series : trends[0].series) {
    CHECK(series.duration() == (&series == &trends[0].series.back()));
    const bool changed = series.key.estimator == "ols" && !series.duration();
    REQUIRE(series.changes.size() == (changed ? 1 : 0));
    if (!changed) continue;
    CHECK(series.changes[0].run == 5);
    CHECK(series.changes[0].after / series.changes[0].before == doctest::Approx(1.1));
  }
}

TEST_CASE("A jump of a duration is found in the logarithms, and told in its own unit") {
  Nights nights;
  for (const double ms : {2.0, 2.1, 1.9, 2.0, 2.1, 1.9, 4.0, 4.2, 3.8, 4.1, 4.0}) {
    nights.Add(1.0, ms);
  }
  const TrendSeries series = Trends(nights.history)[0].series.back();
  REQUIRE(series.changes.size() == 1);
  CHECK(series.changes[0].run == 6);
  CHECK(series.changes[0].before == doctest::Approx(2.0).epsilon(0.02));
  CHECK(series.changes[0].after == doctest::Approx(4.0).epsilon(0.02));
}

TEST_CASE("Runs of another version of the scenario are left out, another title is no version") {
  Nights nights;
  nights.Add(1.0, 2.0, "A", 7);
  nights.Add(1.0, 2.0);
  nights.Add(1.0, 2.0, "B");
  const ScenarioTrend trend = Trends(nights.history)[0];
  CHECK(trend.left_out == 1);
  REQUIRE(trend.runs.size() == 2);
  CHECK(trend.runs[0].commit == "c2");
}

TEST_CASE(
    "One try of an edited scenario does not hide the nights, a third run makes it the version") {
  Nights nights;
  for (int night = 0; night < 6; ++night) nights.Add(1.0, 2.0);
  for (const std::size_t shown : {6, 6, 3}) {
    nights.Add(1.0, 2.0, "A", 7);
    CHECK(Trends(nights.history)[0].runs.size() == shown);
  }
}

TEST_CASE(
    "Steps that nobody acts on are no changes, of a metric below 1 %, of a duration below 5 %") {
  const auto changes = [](double factor, double ms, bool duration) {
    Nights nights;
    for (int night = 0; night < 8; ++night) {
      nights.Add(night < 4 ? 1.0 : factor, night < 4 ? 2.0 : ms);
    }
    std::size_t count = 0;
    const std::vector<ScenarioTrend> trends = Trends(nights.history);
    for (const TrendSeries& series : trends[0].series) {
      if (series.duration() == duration) count += series.changes.size();
    }
    return count;
  };
  CHECK(changes(1.009, 2.0, false) == 0);
  CHECK(changes(1.02, 2.0, false) == 2);  // in two cells
  CHECK(changes(1.0, 2.08, true) == 0);
  CHECK(changes(1.0, 2.12, true) == 1);
}

TEST_CASE("A new processor begins new series of durations, a new fingerprint those of metrics") {
  Nights nights;
  for (int night = 0; night < 7; ++night) nights.Add(1.0, 2.0);
  nights.processor = "P2";
  for (int night = 0; night < 7; ++night) nights.Add(1.0, 4.0);
  nights.fingerprint = "f2";
  for (int night = 0; night < 7; ++night) nights.Add(1.5, 4.0);
  std::size_t durations = 0;
  std::size_t metrics = 0;
  const std::vector<ScenarioTrend> trends = Trends(nights.history);
  for (const TrendSeries& series : trends[0].series) {
    CHECK(series.changes.empty());
    ++(series.duration() ? durations : metrics);
    if (series.duration()) CHECK(series.machine.starts_with("P"));
  }
  CHECK(durations == 2);
  CHECK(metrics == 8);  // two cells, two estimators
}

TEST_CASE("What is rare in one series is no change among several") {
  // Noise of some 1.4 %, and a step in the middle. Five series are tested, four of them constant.
  const auto duration_with = [](double step) {
    const std::vector<double> noise = {0.3, -1.1, 0.8, -0.4, 1.2, -0.7,
                                       0.1, -0.2, 0.6, -0.9, 0.5, -0.3};
    Nights nights;
    for (std::size_t night = 0; night < noise.size(); ++night) {
      nights.Add(1.0, 2.0 * (1 + 0.02 * noise[night] + (night < 6 ? 0 : step)));
    }
    return Trends(nights.history)[0].series.back();
  };
  const TrendSeries doubtful = duration_with(0.08);
  CHECK(doubtful.p.value() < kChangeAlarmRate);
  CHECK(5 * doubtful.p.value() > kChangeAlarmRate);
  CHECK(doubtful.changes.empty());
  const TrendSeries certain = duration_with(0.15);
  CHECK(5 * certain.p.value() < kChangeAlarmRate);
  CHECK(certain.changes.size() == 1);
}

TEST_CASE("A trend is a chart for the headline and one for each duration, a view for each cell") {
  Nights nights;
  for (int night = 0; night < 6; ++night) nights.Add(night < 3 ? 1.0 : 1.5, 2.0);
  const std::vector<Chart> charts = TrendCharts(Trends(nights.history)[0]);
  REQUIRE(charts.size() == 2);
  CHECK(charts[0].title == "rmse_nm@validation");
  CHECK(LabelsOf(charts[0], 0) == std::vector<std::string>{"torque noise 0.1", "torque noise 0.2"});
  CHECK(charts[1].title == "Time of an estimate");
  REQUIRE(charts[1].views.size() == 1);
  const Json spec = Specification(charts[0], charts[0].views[1]);
  CHECK(spec["encoding"]["x"]["scale"]["domain"][5] == "6 · c6");
  const Json& rows = spec["data"]["values"];
  REQUIRE(rows.size() == 12);
  CHECK(rows[3]["e"] == "ols");
  CHECK(rows[3]["x"] == "4 · c4");
  CHECK(rows[3]["n"] == 12);
  CHECK(rows[3]["f"] == 0);
  CHECK(rows[3]["c"] == "3.1 → 4.65");  // mean 2(1 + 0.55), times 1.5
  CHECK(rows[3]["l"].get<double>() < rows[3]["y"].get<double>());
  CHECK_FALSE(rows[2].contains("c"));
}

TEST_CASE("The page holds every scenario, its changes, and no request to anywhere") {
  Nights nights;
  for (int night = 0; night < 6; ++night) nights.Add(night < 3 ? 1.0 : 1.5, 2.0);
  const std::vector<ScenarioTrend> trends = Trends(nights.history);
  const std::string page = RenderTrends(trends, "/* the script */");
  CHECK(page.find("<h2>sample</h2>") != std::string::npos);
  CHECK(page.find("6 runs, the latest of ") != std::string::npos);
  CHECK(page.find("+50 %") != std::string::npos);
  CHECK(page.find("id=\"chart-sample_rmse_nm_validation\"") != std::string::npos);
  CHECK(page.find("/* the script */") != std::string::npos);
  CHECK(page.find("src=") == std::string::npos);
  CHECK(page.find("<link") == std::string::npos);
  const std::string bare = RenderTrends(trends, std::nullopt);
  CHECK(bare.find("There are no charts here") != std::string::npos);
  CHECK(bare.find("+50 %") != std::string::npos);
  CHECK(RenderTrends({}, std::nullopt).find("The history holds no runs.") != std::string::npos);
}

TEST_CASE("A history without changes says so") {
  Nights nights;
  nights.Add(1.0, 2.0);
  const std::string page = RenderTrends(Trends(nights.history), std::nullopt);
  CHECK(page.find("No change was found.") != std::string::npos);
  CHECK(page.find("1 run, the latest of ") != std::string::npos);
}

}  // namespace
}  // namespace idbench
