#include "reports/charts/torque_chart.h"

#include <doctest/doctest.h>

#include <vector>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A sample run of estimators prior, ols and wls, with experiments of both roles.
class TorqueRun {
 public:
  TorqueRun() {
    SampleRun run;
    run.manifest["trials"] = 1;
    run.manifest["estimators"] = {"prior", "ols", "wls"};
    run.manifest["untaught"] = {"prior"};
    run.manifest["scenario"]["experiments"] = {{"identification", {{"role", "identification"}}},
                                               {"validation", {{"role", "validation"}}}};
    run.WriteTo(folder_.path());
    std::filesystem::create_directory(folder_.path() / "series");
  }

  std::vector<Chart> Charts(const std::vector<Json>& lines) const {
    std::string text;
    for (const Json& line : lines) text += line.dump() + '\n';
    WriteText(folder_.path() / "series" / "residuals.jsonl", text);
    return MakeTorqueChart(RunFolder(folder_.path()));
  }
  std::string Message(const Json& line) const {
    return MessageOf(folder_.path(), [&] { Charts({line}); });
  }

 private:
  TemporaryFolder folder_;
};

Json TorqueLine(const char* estimator, const char* experiment) {
  return {{"cell", 0},
          {"trial", 0},
          {"estimator", estimator},
          {"experiment", experiment},
          {"channel", "joint_torque"},
          {"t_s", {0.0, 0.1}},
          {"rows", {"rail", "swing"}},
          {"residual", {{0.25, -0.5}, {1.0, 2.0}}},
          {"measured", {{4.0, 3.0}, {10.0, nullptr}}},
          {"units", {{"rail", "N"}}}};
}

TEST_CASE("Measured torque and residual are drawn for each joint, in its unit") {
  const std::vector<Chart> charts = TorqueRun().Charts({TorqueLine("ols", "validation")});
  REQUIRE(charts.size() == 1);
  const Chart& chart = charts[0];
  CHECK(chart.name == "torque");
  CHECK(chart.choices ==
        std::vector<std::string>{"experiment", "channel", "row", "estimator", "cell", "trial"});
  REQUIRE(chart.views.size() == 2);
  CHECK(chart.views[0].labels == std::vector<std::string>{"validation", "joint_torque", "rail",
                                                          "ols", "torque noise 0.1", "0"});
  const Json& encoding = chart.views[0].patch["encoding"];
  CHECK(encoding["y"]["title"] == "rail [N]");
  CHECK(chart.views[1].patch["encoding"]["y"]["title"] == "swing [N·m]");
  CHECK_FALSE(encoding.contains("color"));
  CHECK(chart.views[0].patch["data"]["values"] ==
        Json::array({{{"t", {0.0, 0.1}}, {"m", {4.0, 3.0}}, {"r", {0.25, -0.5}}}}));
  // From the least residual, −0.5, to the largest torque, 4, and 6 % of 4.5 on either side.
  CHECK(encoding["y"]["scale"]["domain"] == Json::array({-0.77, 4.27}));
  // What was not measured is not predicted either.
  CHECK(chart.views[1].patch["data"]["values"][0]["m"] == Json::array({10.0, nullptr}));
}

TEST_CASE("A prediction beyond what was measured is inside the axis") {
  Json line = TorqueLine("ols", "validation");
  line["residual"][0] = {-6.0, 0.0};  // predicted: 10, 3
  const std::vector<Chart> charts = TorqueRun().Charts({line});
  // From −6 to 10, and 6 % of 16 on either side.
  CHECK(charts.at(0).views[0].patch["encoding"]["y"]["scale"]["domain"] ==
        Json::array({-6.96, 10.96}));
}

TEST_CASE("First is validation of the last estimator that takes data, then that of the prior") {
  const std::vector<Chart> charts =
      TorqueRun().Charts({TorqueLine("prior", "identification"), TorqueLine("prior", "validation"),
                          TorqueLine("ols", "identification"), TorqueLine("ols", "validation"),
                          TorqueLine("wls", "identification"), TorqueLine("wls", "validation")});
  std::vector<std::string> shown;
  for (const ChartView& view : charts.at(0).views) {
    if (view.labels[2] == "rail") shown.push_back(view.labels[3] + ", " + view.labels[0]);
  }
  CHECK(shown == std::vector<std::string>{"wls, validation", "wls, identification",
                                          "prior, validation", "prior, identification",
                                          "ols, validation", "ols, identification"});
}

TEST_CASE("Torques of several segments share a view and are not joined") {
  Json first = TorqueLine("ols", "validation"), second = first;
  first["segment"] = 0;
  second["segment"] = 1;
  const std::vector<Chart> charts = TorqueRun().Charts({first, second});
  REQUIRE(charts.at(0).views.size() == 2);
  const Json& rows = charts[0].views[0].patch["data"]["values"];
  REQUIRE(rows.size() == 2);
  CHECK(rows[0]["g"] == 0);
  CHECK(rows[1]["g"] == 1);
  CHECK(charts[0].spec["encoding"]["detail"]["field"] == "g");
}

TEST_CASE("Of more torques than can be drawn the last are left out, and a note tells") {
  Json line = TorqueLine("ols", "validation");
  for (const char* name : {"rows", "residual", "measured"}) line[name].erase(1);
  std::vector<Json> lines(140, line);
  for (int k = 0; k < 140; ++k) lines[static_cast<std::size_t>(k)]["trial"] = 139 - k;
  const std::vector<Chart> charts = TorqueRun().Charts(lines);
  REQUIRE(charts.at(0).views.size() == kMostTorqueViews);
  CHECK(charts[0].views.front().labels.back() == "0");
  CHECK(charts[0].views.back().labels.back() == "127");
  CHECK(charts[0].notes.back() == "the first 128 choices are shown");
}

TEST_CASE(
    "An estimator that cannot be drawn in all experiments and joints is left out, and named") {
  std::vector<Json> lines;
  for (const char* estimator : {"prior", "ols", "wls"}) {
    for (int trial = 0; trial < 30; ++trial) {  // 60 views each
      lines.push_back(TorqueLine(estimator, "validation"));
      lines.back()["trial"] = trial;
    }
  }
  const std::vector<Chart> charts = TorqueRun().Charts(lines);
  CHECK(charts.at(0).views.size() == 120);
  CHECK(LabelsOf(charts[0], 3) == std::vector<std::string>{"wls", "prior"});
  CHECK(charts[0].notes.back() ==
        "drawn: wls, prior; of ols series/residuals.jsonl has the residuals");
}

TEST_CASE("An experiment from a file is chosen with the file's name") {
  SampleRun run;
  run.manifest["scenario"]["experiments"] = {{"validation", {{"file", "logs/run2.csv"}}}};
  const TemporaryFolder folder;
  run.WriteTo(folder.path());
  std::filesystem::create_directory(folder.path() / "series");
  WriteText(folder.path() / "series" / "residuals.jsonl",
            TorqueLine("ols", "validation").dump() + '\n');
  const std::vector<Chart> charts = MakeTorqueChart(RunFolder(folder.path()));
  CHECK(charts.at(0).views[0].labels[0] == "validation (run2.csv)");
}

TEST_CASE("Older run folders, whose lines have no measured torque, have no chart of it") {
  Json line = TorqueLine("ols", "validation");
  line.erase("measured");
  CHECK(TorqueRun().Charts({line}).empty());
  CHECK(TorqueRun().Charts({}).empty());
}

TEST_CASE("Torques of the wrong size are refused, naming the line") {
  Json line = TorqueLine("ols", "validation");
  line["measured"].erase(1);
  CHECK(TorqueRun().Message(line) ==
        "series/residuals.jsonl: line 1: measured: got 1 entries, not 2");
  line = TorqueLine("ols", "validation");
  line["residual"][1] = {1.0};
  CHECK(TorqueRun().Message(line) ==
        "series/residuals.jsonl: line 1: a row of residual: got 1 entries, not 2");
  line = TorqueLine("ols", "validation");
  line["cell"] = 7;
  CHECK(TorqueRun().Message(line) == "series/residuals.jsonl: line 1: cell 7: the run has 2");
}

}  // namespace
}  // namespace idbench
