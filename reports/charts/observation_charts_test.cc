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

  /// A metric of T2, the same in all trials and for both models.
  void Declare(const std::string& metric, double value) {
    run_.manifest["metrics"][metric] = {
        {"unit", "1"}, {"components", Json::array()}, {"better", "higher"}, {"observed", true}};
    further_[metric] = {{"value", value}};
    Write();
  }
  void Publish(const Json& rates) {
    run_.manifest["scenario"]["published_rates"].push_back(rates);
    Write();
  }

  std::vector<Chart> Charts() const {
    const RunFolder folder(folder_.path());
    return MakeObservationCharts(Summarise(folder), folder);
  }
  std::vector<Chart> Charts(const std::string& observations) const {
    std::filesystem::create_directories(folder_.path() / "series");
    WriteText(folder_.path() / "series" / "observations.jsonl", observations);
    return Charts();
  }
  /// The chart of that name, of a file of observations.
  Chart Find(const std::string& name, const std::string& observations = "") const {
    for (Chart& chart : Charts(observations)) {
      if (chart.name == name) return std::move(chart);
    }
    FAIL("no chart " << name);
    return {};
  }
  std::string Message(const std::string& observations) const {
    return MessageOf(folder_.path(), [&] { Charts(observations); });
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
        const auto roc = [this](double low, double high) {
          Json metrics = {{"detection_roc@contact", {{"components", {low, high}}}},
                          {"detection_auc@contact", {{"value", high}}}};
          metrics.update(further_);
          return metrics;
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
  Json further_ = Json::object();
};

/// A statistic of 3, 300, 30, 3, with contact from the second instant up to the fourth.
Json Statistic(const char* model = "ols") {
  return {{"cell", 0},
          {"trial", 0},
          {"observer", "T2"},
          {"estimator", model},
          {"experiment", "contact"},
          {"series", "statistic"},
          {"columns", {"T2"}},
          {"units", {"1"}},
          {"t_s", {0.0, 0.1, 0.2, 0.3}},
          {"values", Json::array({{3.0, 300.0, nullptr, 3.0}})},
          {"detected", {0, 1, nullptr, 0}},
          {"there", {0, 1, 1, 0}}};
}

Json Force() {
  return {{"cell", 1},
          {"trial", 0},
          {"observer", "force"},
          {"estimator", "truth"},
          {"experiment", "contact"},
          {"series", "external_force"},
          {"columns", {"x", "z"}},
          {"units", {"N", "N"}},
          {"t_s", {0.0, 0.1}},
          {"values", {{1.0, -1.0}, {9.0, 11.0}}},
          {"true", {{0.0, 0.0}, {10.0, 12.0}}}};
}

std::string LinesOf(const std::vector<Json>& lines) {
  std::string text;
  for (const Json& line : lines) text += line.dump() + '\n';
  return text;
}

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

TEST_CASE("Of many decades of a statistic the lower ones are drawn at the end of the axis") {
  Json line = Statistic();
  line["values"] = Json::array({{0.0, 1e6, 100.0, 1e-9}});
  const Json y = WatchedRun().Find("observation", line.dump()).views[0].patch["encoding"]["y"];
  CHECK(y["scale"]["type"] == "log");
  CHECK(y["scale"]["clamp"] == true);
  CHECK(y["scale"]["domain"] == Json::array({10.0, 1e6}));
  CHECK(y["axis"]["values"] == Json::array({10.0, 100.0, 1e3, 1e4, 1e5, 1e6}));
  line["values"] = Json::array({{0.0, 0.0, 0.0, 0.0}});
  CHECK(WatchedRun()
            .Find("observation", line.dump())
            .views[0]
            .patch["encoding"]["y"]["scale"]
            .value("type", "linear") == "linear");
}

TEST_CASE("A statistic is drawn over what was there, with a point where its threshold detects") {
  const Chart chart =
      WatchedRun().Find("observation", LinesOf({Statistic("ols"), Statistic("truth")}));
  CHECK(chart.choices ==
        std::vector<std::string>{"observer", "series", "experiment", "cell", "trial"});
  REQUIRE(chart.views.size() == 1);
  CHECK(chart.views[0].labels ==
        std::vector<std::string>{"T2", "statistic T2", "contact", "torque noise 0.1", "0"});
  const Json& rows = chart.views[0].patch["data"]["values"];
  const Json none = Json::array();
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] ==
        Json({{"t", {0.1}}, {"y", none}, {"d", none}, {"b", {0.3}}, {"v", none}, {"h", none}}));
  CHECK(rows[1] == Json({{"t", {0.0, 0.1, 0.2, 0.3}},
                         {"y", {3.0, 300.0, nullptr, 3.0}},
                         {"d", {0, 1, nullptr, 0}},
                         {"b", none},
                         {"v", none},
                         {"h", none},
                         {"e", "T2 of ols"}}));
  CHECK(rows[2]["e"] == "T2 of truth");
  const Json& encoding = chart.views[0].patch["encoding"];
  CHECK(encoding["x"]["scale"]["domain"] == Json::array({0.0, 0.3}));
  CHECK(encoding["y"]["scale"]["type"] == "log");
  CHECK(encoding["y"]["title"] == "statistic T2");
  CHECK(chart.notes.size() == 2);  // shaded, points
  const std::string tooltip = chart.spec["layer"][2]["encoding"]["tooltip"]["value"]["expr"];
  for (const char* part :
       {"{'observer': (datum.datum || datum).e}",
        "isValid((datum.datum || datum).y) ? {'value': format((datum.datum || datum).y, '.4~g')}",
        "{'detected': (datum.datum || datum).k}"}) {
    CAPTURE(part);
    CHECK(tooltip.find(part) != std::string::npos);
  }
}

TEST_CASE("What is there at the end is shaded to the end, and each stretch by itself") {
  Json line = Statistic();
  line["there"] = {1, 0, 1, 1};
  const Chart chart = WatchedRun().Find("observation", line.dump());
  const Json& spans = chart.views[0].patch["data"]["values"][0];
  CHECK(spans["t"] == Json::array({0.0, 0.2}));
  CHECK(spans["b"] == Json::array({0.1, 0.3}));
  line["there"] = {0, 0, 0, 0};
  CHECK(WatchedRun().Find("observation", line.dump()).views[0].patch["data"]["values"][0]["t"] ==
        Json::array());
}

TEST_CASE("A force is drawn column by column beside the true one") {
  const Chart chart = WatchedRun().Find("observation", LinesOf({Force()}));
  REQUIRE(chart.views.size() == 2);
  CHECK(chart.views[1].labels[1] == "external_force z");
  const Json& patch = chart.views[1].patch;
  CHECK(patch["encoding"]["y"]["title"] == "external_force z [N]");
  const Json none = Json::array();
  CHECK(patch["data"]["values"][0] == Json({{"t", {0.0, 0.1}},
                                            {"y", none},
                                            {"d", none},
                                            {"b", none},
                                            {"v", {10.0, 12.0}},
                                            {"h", none}}));
  CHECK(patch["data"]["values"][1]["e"] == "force of truth");
  CHECK(patch["data"]["values"][1]["y"] == Json::array({9.0, 11.0}));
  // From 9 to the truth of 12, and 6 % of that on either side.
  CHECK(patch["encoding"]["y"]["scale"]["domain"] == Json::array({8.82, 12.18}));
  CHECK(chart.notes ==
        std::vector<std::string>{"dark line: the true force; what is off by more than 3 times its "
                                 "range is cut off"});
}

TEST_CASE("A force that is far off is cut off, so that the true one shows") {
  Json line = Force();
  line["values"][0] = {1e4, 0.0};
  line["values"][1] = {-1e4, 11.0};
  const Chart chart = WatchedRun().Find("observation", line.dump());
  const auto domain = [&](std::size_t view) {
    return chart.views[view].patch["encoding"]["y"]["scale"]["domain"];
  };
  // The range of the force is 2, in z: up to 3·2 above x, and down to 3·2 below z; 6 % beside it.
  CHECK(domain(0) == Json::array({-0.36, 6.36}));
  CHECK(domain(1) == Json::array({3.52, 12.48}));
  // Of a force that does not change nothing is known.
  line["true"] = {{0.0, 0.0}, {10.0, 10.0}};
  CHECK(WatchedRun()
            .Find("observation", line.dump())
            .views[0]
            .patch["encoding"]["y"]["scale"]["domain"][1] == 10600.0);
}

TEST_CASE("Of recordings nothing is known to be there, and each segment has its own line") {
  Json line = Statistic();
  for (const char* key : {"there", "detected"}) line.erase(key);
  Json second = line;
  line["segment"] = 0;
  second["segment"] = 1;
  const Chart chart = WatchedRun().Find("observation", LinesOf({line, second}));
  const Json& rows = chart.views[0].patch["data"]["values"];
  REQUIRE(rows.size() == 2);
  CHECK(rows[1]["g"] == 1);
  CHECK(chart.spec["encoding"]["detail"]["field"] == "g");
  CHECK(chart.spec["layer"].size() == 2);
  CHECK(chart.notes.empty());
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

TEST_CASE("A run without observers has no charts of them, one without the file no series") {
  const TemporaryFolder folder;
  SampleRun().WriteTo(folder.path());
  const RunFolder run(folder.path());
  CHECK(MakeObservationCharts(Summarise(run), run).empty());
  const std::vector<Chart> charts = WatchedRun().Charts();
  REQUIRE(charts.size() == 1);
  CHECK(charts[0].name == "roc");
}

TEST_CASE("Damaged observations are refused, naming the line") {
  const WatchedRun run;
  const std::string at = "series/observations.jsonl: line ";
  CHECK(run.Message(Statistic().dump() + "\n{\"cell\"") == at + "2: is not JSON");
  const auto with = [&](const char* key, const Json& value) {
    Json line = Statistic();
    line[key] = value;
    return run.Message(line.dump());
  };
  CHECK(with("cell", 5) == at + "1: cell 5: the run has 2");
  CHECK(with("observer", "T3") == at + "1: observer 'T3': the run has [T2, force]");
  CHECK(with("values", Json::array()) == at + "1: values: got 0 entries, not 1");
  CHECK(with("units", {"1", "1"}) == at + "1: units: got 2 entries, not 1");
  CHECK(with("values", Json::array({{1.0}})) == at + "1: a column of values: got 1 entries, not 4");
  CHECK(with("there", {0, 1}) == at + "1: there: got 2 entries, not 4");
  CHECK(with("detected", {0, 1}) == at + "1: detected: got 2 entries, not 4");
  CHECK(with("true", {1, 2}) == at + "1: true: got 2 entries, not 1");
  CHECK(with("true", Json::array({{1.0}})) == at + "1: a column of true: got 1 entries, not 4");
  CHECK(run.Message("{}").find("key 'observer' not found") != std::string::npos);
}

TEST_CASE("The specifications of what observers found are drawn") {
  if (!std::filesystem::exists(ChartFolder() / "vl_convert")) {
    MESSAGE("skipped: no vl_convert in " << ChartFolder().string());
    return;
  }
  const WatchedRun run;
  const std::vector<Chart> charts = run.Charts(LinesOf({Statistic(), Force()}));
  REQUIRE(charts.size() == 2);
  const auto files = RenderFigures(charts, run.path() / "figures", {"svg"});
  CHECK(files.size() == 5);
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

TEST_CASE("Crosses stand where own thresholds put models, and where others were printed") {
  WatchedRun run;
  run.Declare("label_true_positive_rate@contact", 0.8);
  run.Declare("label_false_positive_rate@contact", 0.05);
  run.Publish({{"source", "a paper, figure 6"},
               {"false_positive_rate", 0.06},
               {"true_positive_rate", 0.67},
               {"experiment", "contact"}});
  run.Publish({{"source", "another"},
               {"false_positive_rate", 0.1},
               {"true_positive_rate", 0.2},
               {"experiment", "elsewhere"}});
  const Chart roc = run.Find("roc");
  const Json& rows = roc.views[0].patch["data"]["values"];
  const auto with = [&rows](const char* field) {
    return std::ranges::count_if(rows, [field](const Json& row) { return row.contains(field); });
  };
  CHECK(with("cx") == 2);  // ols and the truth; the prior has no characteristic
  CHECK(with("px") == 1);
  const auto own = std::ranges::find_if(rows, [](const Json& row) { return row.contains("cx"); });
  CHECK((*own)["cx"] == 0.05);
  CHECK((*own)["cy"] == 0.8);
  CHECK(rows.back()["px"] == 0.06);
  CHECK(rows.back()["py"] == 0.67);
  CHECK(std::ranges::count(roc.notes, "cross: at the observer's own threshold") == 1);
  CHECK(std::ranges::count(roc.notes, "dark cross: a paper, figure 6") == 1);
}

TEST_CASE("A threshold is drawn beside the statistic that it is of") {
  const WatchedRun run;
  Json line = Statistic();
  line["threshold"] = 16.8;
  const Chart chart = run.Find("observation", line.dump() + "\n");
  const Json& rows = chart.views[0].patch["data"]["values"];
  const auto limit = std::ranges::find_if(rows, [](const Json& row) { return !row["h"].empty(); });
  REQUIRE(limit != rows.end());
  CHECK((*limit)["h"] == Json::array({16.8, 16.8}));
  CHECK((*limit)["t"] == Json::array({0.0, 0.3}));
  CHECK(std::ranges::count(chart.notes, "dashed: that threshold") == 1);
}

}  // namespace
}  // namespace idbench
