#include "bench/notes/experiment_marks.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/cell/prepared_cell.h"
#include "bench/metrics/metric_table.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Returns true if a mark of planar2 in two experiments, the second for validation, is this one.
bool IsMarked(const char* more, const std::string& mark) {
  Json json = ParseJson(R"({
    "name": "m", "control": {"type": "exact_replay"},
    "robot": {"model": "planar2", "truth": {}},
    "experiments": {
      "first": {"motion": {"type": "way_points", "points_rad": [[0, 0], [1, 1]], "segment_s": [1]}},
      "second": {"role": "validation",
                 "motion": {"type": "way_points", "points_rad": [[0, 0], [1, 1]], "segment_s": [1]}}},
    "sensors": {"joint_position": {"origin": "measured"}, "joint_velocity": {"origin": "measured"},
                "joint_acceleration": {"origin": "measured"}, "joint_torque": {"noise_std_nm": 0.1}},
    "problem": {}, "estimators": {"ols": {}}, "trials": 2})",
                        "test");
  json.merge_patch(ParseJson(more, "more"));
  const LoadedScenario loaded = LoadScenario(json, "test", {}, AllMetrics());
  RolloutStore rollouts;
  const std::vector<std::string> marks = PreparedCell(loaded, loaded.cells[0], rollouts).marks();
  return std::ranges::find(marks, mark) != marks.end();
}

TEST_CASE("A held-out experiment that moves as the one for identification is told") {
  const std::string repeats =
      "second repeats the motion of first: errors there are those of another recording of the same "
      "motion, not of a new one";
  CHECK(IsMarked("{}", repeats));
  CHECK(!IsMarked(R"({"experiments": {"second": {"motion": {"points_rad": [[0, 0], [1, 0.5]]}}}})",
                  repeats));
  CHECK(!IsMarked(R"({"experiments": {"second": {"motion": {"segment_s": [2]}}}})", repeats));
}

TEST_CASE("A configuration that says touched, where nothing touches the robot, is told") {
  const char* untouched = R"({"configurations": {"touched": {"touched": "link2"}},
    "experiments": {"second": {"configuration": "touched"}}})";
  const std::string told =
      "nothing touches the robot, although the configuration says so: second; what sensors measure "
      "there is given up for nothing";
  CHECK(IsMarked(untouched, told));
  const char* touched = R"({"configurations": {"touched": {"touched": "link2"}},
    "experiments": {"second": {"configuration": "touched", "environment": {"touches": [
      {"link": "link2", "force_n": [1, 0, 0], "from_s": 0.2, "hold_s": 0.2}]}}}})";
  CHECK(!IsMarked(touched, told));
}

}  // namespace
}  // namespace idbench
