#include "reports/charts/recorded_charts.h"

#include <doctest/doctest.h>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A sample run with tables in its series/.
class RecordedRun {
 public:
  RecordedRun() {
    SampleRun().WriteTo(folder_.path());
    std::filesystem::create_directory(folder_.path() / "series");
  }

  void Write(const std::string& name, const std::string& text) {
    WriteText(folder_.path() / "series" / name, text);
  }
  std::vector<Chart> Charts() const { return MakeRecordedCharts(RunFolder(folder_.path())); }
  std::string Message() const {
    return MessageOf(folder_.path(), [&] { Charts(); });
  }

 private:
  TemporaryFolder folder_;
};

TEST_CASE("Every channel of a table is drawn, with a line per column and its unit") {
  RecordedRun run;
  run.Write("cell1_pick_up_trial0.csv",
            "t_s,q1_rad,q2_rad,fx_n,fy_n,fz_n,mx_nm,my_nm,mz_nm,other\n"
            "0,1,2,1,2,3,4,5,6,0\n0.1,1.25,2.5,1,2,3,4,5,6,0\n");
  run.Write("cell0_pick_up_trial0.csv", "t_s,gyro1_rad_s,gyro2_rad_s,gyro3_rad_s\n0,1,2,3\n");
  for (const char* other :
       {"notes.csv", "cell_a_trial0.csv", "cell0_a_trial.csv", "cell0_trial0.csv"}) {
    run.Write(other, "not, a table of ours\n");
  }
  run.Write("cell9_pick_up_trial0.csv", "t_s,q1_rad\n0,1\n");  // the run has two cells
  const std::vector<Chart> charts = run.Charts();
  REQUIRE(charts.size() == 1);
  CHECK(charts[0].choices == std::vector<std::string>{"experiment", "channel", "cell", "trial"});
  const std::vector<ChartView>& views = charts[0].views;
  REQUIRE(views.size() == 3);
  CHECK(views[0].labels ==
        std::vector<std::string>{"pick_up", "gyroscope", "torque noise 0.1", "0"});
  CHECK(views[1].labels ==
        std::vector<std::string>{"pick_up", "joint_position", "torque noise 0.2", "0"});
  CHECK(views[2].labels[1] == "base_wrench");
  CHECK(views[1].patch["encoding"]["y"]["title"] == "joint_position [rad]");
  CHECK(views[1].patch["data"]["values"] ==
        Json::parse(R"([{"c": "q1_rad", "t": [0, 0.1], "y": [1, 1.25]},
                        {"c": "q2_rad", "t": [0, 0.1], "y": [2, 2.5]}])"));
  CHECK(views[2].patch["data"]["values"].size() == 6);
}

TEST_CASE("Long recordings are thinned, and many views are cut with a note") {
  RecordedRun run;
  std::string text = "t_s,q1_rad,qd1_rad_s,tau1_nm\n";
  for (int k = 0; k < 1000; ++k) text += std::to_string(k) + ",1,2,3\n";
  for (int trial = 0; trial < 30; ++trial) {
    run.Write("cell0_a_trial" + std::to_string(trial) + ".csv", text);
  }
  const Chart chart = run.Charts().at(0);
  CHECK(chart.views.size() == kMostSeriesViews);
  CHECK(chart.notes.back() == "the first 64 choices are shown");
  const Json& t = chart.views[0].patch["data"]["values"][0]["t"];
  CHECK(t.size() <= 160);
  CHECK(t[1] == 7.0);
  CHECK(chart.views[3].labels[3] == "1");  // trials in the order of their numbers
  CHECK(chart.views[6].labels[3] == "2");
}

TEST_CASE("Without tables there is no chart, and a damaged one is named") {
  RecordedRun run;
  CHECK(run.Charts().empty());
  run.Write("cell0_a_trial0.csv", "t_s,q1_rad\n0,nan\n");
  CHECK(run.Message().find("cell0_a_trial0.csv") != std::string::npos);
}

}  // namespace
}  // namespace idbench
