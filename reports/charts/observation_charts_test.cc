#include "reports/charts/observation_charts.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "reports/charts/figures.h"
#include "reports/charts/spread_charts.h"
#include "reports/charts/sweep_charts.h"
#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A sample run whose contacts are watched by T2, with the models prior, ols and truth. In trial t
/// ols detects 0.5 + 0.01·t of the contacts at a false positive rate of 0.04, and 0.9 at 0.5; truth
/// finds all; prior has no value.
class WatchedRun {
 public:
  static constexpr int kTrials = 12;

  WatchedRun() {
    run_.manifest["trials"] = kTrials;
    run_.manifest["observers"] =
        Json::array({{{"label", "T2"}, {"models", {"prior", "ols", "truth"}}},
                     {{"label", "force"}, {"models", {"truth"}}}});
    run_.manifest["metrics"]["detection_roc@contact"] = {
        {"unit", "1"}, {"components", {"0.04", "0.5"}}, {"better", "higher"}, {"observed", true}};
    run_.manifest["metrics"]["detection_auc@contact"] = {
        {"unit", "1"}, {"components", Json::array()}, {"better", "higher"}, {"observed", true}};
    Write();
  }

  std::vector<Chart> Charts() const {
    const RunFolder folder(folder_.path());
    return MakeObservationCharts(Summarise(folder), folder);
  }
  /// The chart of that name.
  Chart Find(const std::string& name) const {
    for (Chart& chart : Charts()) {
      if (chart.name == name) return std::move(chart);
    }
    FAIL("no chart " << name);
    return {};
  }
  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  void Write() const {
    std::string records;
    for (int cell = 0; cell < 2; ++cell) {
      for (int trial = 0; trial < kTrials; ++trial) {
        for (const char* estimator : {"ols", "wls"}) {
          records += SampleRun::Record(cell, trial, estimator).dump() + '\n';
        }
        const auto add = [&](const char* observer, const char* model, const Json& metrics) {
          Json record = SampleRun::Record(cell, trial, model);
          for (const char* key : {"x", "diagnostics"}) record.erase(key);
          record["observer"] = observer;
          record["metrics"] = metrics;
          records += record.dump() + '\n';
        };
        const auto roc = [](double low, double high) {
          return Json{{"detection_roc@contact", {{"components", {low, high}}}},
                      {"detection_auc@contact", {{"value", high}}}};
        };
        add("T2", "prior", {{"detection_roc@contact", {{"absent", "nothing touches it"}}}});
        add("T2", "ols", roc(0.5 + 0.01 * trial, 0.9));
        add("T2", "truth", roc(1.0, 1.0));
        add("force", "truth", Json::object());
      }
    }
    run_.WriteTo(folder_.path());
    WriteText(folder_.path() / "records.jsonl", records);
  }

  TemporaryFolder folder_;
  SampleRun run_;
};

TEST_CASE("A characteristic goes through the means over the trials, from (0, 0) to (1, 1)") {
  const Chart chart = WatchedRun().Find("roc");
  CHECK(chart.choices == std::vector<std::string>{"observer", "experiment", "cell"});
  REQUIRE(chart.views.size() == 2);  // the cells; `force` detects nothing
  CHECK(chart.views[0].labels == std::vector<std::string>{"T2", "contact", "torque noise 0.1"});
  Json rows = chart.views[0].patch["data"]["values"];
  REQUIRE(rows.size() == 8);  // prior has no value
  CHECK(rows[0] == Json({{"e", "T2 of ols"}, {"x", 0}, {"y", 0}}));
  CHECK(rows[3] == Json({{"e", "T2 of ols"}, {"x", 1}, {"y", 1}}));
  // 0.50, 0.51, …, 0.61; an interval that holds the mean.
  CHECK(rows[1]["l"] < 0.555);
  CHECK(rows[1]["h"] > 0.555);
  for (const char* bound : {"l", "h"}) rows[1].erase(bound);
  CHECK(rows[1] == Json({{"e", "T2 of ols"}, {"x", 0.04}, {"y", 0.555}, {"n", 12}, {"f", 0}}));
  CHECK(rows[5]["e"] == "T2 of truth");
  CHECK(rows[5]["y"] == 1.0);
  CHECK(chart.spec["encoding"]["x"]["scale"]["type"] == "sqrt");
}

TEST_CASE("Chance is where both rates are equal, evenly spread on the axis") {
  const Json layer = WatchedRun().Find("roc").spec["layer"][0];
  const Json& points = layer["data"]["values"];
  CHECK(points.front() == Json({{"x", 0.0}, {"y", 0.0}}));
  CHECK(points.back() == Json({{"x", 1.0}, {"y", 1.0}}));
  for (const Json& point : points) CHECK(point["x"] == point["y"]);
  CHECK(points[1]["x"] == 0.0025);  // (1/20)²
}

TEST_CASE("A model has its estimator's colour, and a legend shows an observer's models alone") {
  const Chart chart = WatchedRun().Find("roc");
  const Json& colour = chart.views[0].patch["encoding"]["color"];
  CHECK(colour["scale"]["domain"] ==
        Json::array({"T2 of ols", "T2 of wls", "T2 of prior", "T2 of truth"}));
  // prior has no value.
  CHECK(colour["legend"] == Json({{"values", {"T2 of ols", "T2 of truth"}}}));
}

TEST_CASE("Other charts of estimators leave observations out, and the other way round") {
  const WatchedRun run;
  const RunFolder folder(run.path());
  const Chart chart = MakeSpreadCharts(Summarise(folder), folder.manifest()).at(0);
  CHECK(chart.name == "distribution");
  const auto domain = [&](const std::string& metric) {
    const auto view = std::ranges::find(chart.views, metric,
                                        [](const ChartView& each) { return each.labels[0]; });
    REQUIRE(view != chart.views.end());
    CHECK(view->patch["height"] == 34 * view->patch["encoding"]["y"]["scale"]["domain"].size());
    return view->patch["encoding"]["y"]["scale"]["domain"];
  };
  // The outline of a box has the colour of what fills it.
  const Json& boxes = chart.views[0].patch["layer"][1]["encoding"]["stroke"]["scale"]["domain"];
  CHECK(boxes == chart.views[0].patch["encoding"]["color"]["scale"]["domain"]);
  CHECK(domain("rmse_nm@validation") == Json::array({"ols", "wls"}));
  CHECK(domain("detection_auc@contact") == Json::array({"T2 of ols", "T2 of truth"}));
  const Chart sweep = MakeSweepCharts(Summarise(folder), folder.manifest()).at(0);
  CHECK(sweep.views[0].patch["encoding"]["color"]["legend"]["values"] ==
        Json::array({"ols", "wls"}));
}

TEST_CASE("A run without observers has no charts of them") {
  const TemporaryFolder folder;
  SampleRun().WriteTo(folder.path());
  const RunFolder run(folder.path());
  CHECK(MakeObservationCharts(Summarise(run), run).empty());
  const std::vector<Chart> charts = WatchedRun().Charts();
  REQUIRE(charts.size() == 1);
  CHECK(charts[0].name == "roc");
}

TEST_CASE("The specifications of what observers found are drawn") {
  if (!std::filesystem::exists(ChartFolder() / "vl_convert")) {
    MESSAGE("skipped: no vl_convert in " << ChartFolder().string());
    return;
  }
  const WatchedRun run;
  const std::vector<Chart> charts = run.Charts();
  REQUIRE(charts.size() == 1);
  const auto files = RenderFigures(charts, run.path() / "figures", {"svg"});
  CHECK(files.size() == 2);
  for (const std::filesystem::path& file : files) {
    CAPTURE(file.string());
    const std::string svg = ReadText(file);
    CHECK(svg.find("mark-line") != std::string::npos);
    // Vega writes what it cannot place.
    for (const char* fault : {"NaN", "undefined", "Infinity"}) {
      CHECK(svg.find(fault) == std::string::npos);
    }
  }
}

}  // namespace
}  // namespace idbench
