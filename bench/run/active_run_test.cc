#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "bench/small_run_test.h"
#include "reports/run/lost_estimators.h"
#include "reports/run/run_folder.h"
#include "reports/run/summary.h"

namespace idbench {
namespace {

/// Short swings of two rods, drawn in each trial, in two worlds.
Json Rods() {
  return ParseJson(R"({
    "name": "rods", "robot": {"model": "rods2", "truth": {"density_error": {"type": "uniform", "lower": -0.5, "upper": 0.5}, "draw": "trial"}},
    "plant": {"timestep_s": 0.018, "coulomb_width_rad_s": 1e-4, "friction_integration": "implicit"},
    "control": {"type": "exact_replay"},
    "experiments": {"identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 4, "candidates": 1}}},
    "sensors": {"rate_hz": 55.55555555555556, "joint_position": {"origin": "measured"}, "actuator_torque": {"origin": "measured"}},
    "problem": {"parametrisation": {"type": "planar_lagrangian"},
                "prior": {"unknown_error": {"type": "uniform", "lower": 0.05, "upper": 0.3}, "draw": "trial"}},
    "estimators": {"dino": {"duration_s": 20, "steps": [0.1, 0.02]},
                   "again": {"type": "dino", "duration_s": 20, "steps": [0.1, 0.02]},
                   "swings": {"type": "swing_weak_form", "duration_s": 20},
                   "wls_fcd": {}, "prior_only": {}},
    "trials": 4, "timing_trials": 1,
    "sweep": [{"name": "noise", "set": {"/sensors/joint_position/noise_std_rad": [0, 1e-3]}}]})",
                   "test");
}

double MetricIn(const Json& record, const char* name) {
  return record["metrics"][name]["value"].get<double>();
}

TEST_CASE("Active estimators are run on plants of their own, and what they took is recorded") {
  const TemporaryFolder folder;
  const std::vector<Json> records = LinesIn(Records(Rods(), folder.path() / "r"));
  REQUIRE(records.size() == 2 * 4 * 5);
  for (std::size_t k = 0; k < records.size(); k += 5) {
    const Json& dino = records[k];
    const Json& swings = records[k + 2];
    const Json& passive = records[k + 3];
    REQUIRE(dino["outcome"] == "ok");
    CHECK(MetricIn(dino, "falls") == 4.0);
    CHECK(MetricIn(dino, "experiment_count") > 5.0);
    CHECK(MetricIn(dino, "largest_parameter_error_fraction") < 0.04);
    CHECK(MetricIn(swings, "experiment_count") == 8.0);
    CHECK(MetricIn(swings, "falls") == 0.0);
    CHECK(MetricIn(swings, "plant_time_s") == doctest::Approx(8 * 20.0).epsilon(1e-3));
    CHECK(MetricIn(passive, "experiment_count") == 1.0);
    CHECK(MetricIn(passive, "plant_time_s") == doctest::Approx(4.0).epsilon(0.01));
    CHECK(MetricIn(records[k + 4], "experiment_count") == 0.0);
    CHECK(MetricIn(records[k + 4], "plant_time_s") == 0.0);
    // The same experiments read the same, whoever makes them.
    CHECK(records[k + 1]["x"] == dino["x"]);
    CHECK(records[k + 1]["metrics"] == dino["metrics"]);
  }
  CHECK(records[2]["x"] != records[22]["x"]);  // the same robot, with noise
  // The metric is the largest error of G, which stand behind J, J, P.
  for (const Json& track : LinesIn(ReadText(folder.path() / "r" / "series" / "tracks.jsonl"))) {
    const std::size_t cell = track["cell"];
    const Json& record = records[cell * 20 + (track["estimator"] == "dino" ? 0 : 2)];
    if (track["estimator"] != "dino" && track["estimator"] != "swings") continue;
    double largest = 0.0;
    for (const std::size_t k : {3U, 4U}) {
      const double truth = track["x_true"][k];
      largest = std::max(largest, std::abs(track["x"].back()[k].get<double>() / truth - 1.0));
    }
    // Tracks have six digits.
    CHECK(std::abs(MetricIn(record, "largest_parameter_error_fraction") - largest) < 2e-5);
  }
  // Of trial 0 of each cell: last stand and fall of each rod, twice, and eight free swings.
  const std::vector<Json> swings =
      LinesIn(ReadText(folder.path() / "r" / "series" / "swings.jsonl"));
  REQUIRE(swings.size() == 2 * (4 + 4 + 8));
  CHECK(swings[1]["swing"] == "link1: last fall");
  CHECK(swings[1]["columns"] == Json({"link1", "link2"}));
  CHECK(swings[1]["t_s"].back().get<double>() < 20.0);
  CHECK(swings[8]["swing"] == "1 × guess, push tip");
  CHECK(swings[8]["t_s"].size() <= 300);
}

TEST_CASE("Records of active estimators depend on nothing but the scenario") {
  const TemporaryFolder folder;
  const std::string records = Records(Rods(), folder.path() / "one");
  CHECK(Records(Rods(), folder.path() / "two", 2) == records);
  // Killed in the middle of an active trial: the first is whole, of the second a part was written.
  const LoadedScenario loaded = Load(Rods());
  std::atomic<bool> stop = true;
  const std::filesystem::path stopped = folder.path() / "stopped";
  CHECK(RunScenario(loaded, {.folder = stopped, .jobs = 1, .stop = &stop}) ==
        RunResult::kInterrupted);
  std::istringstream lines(records);
  std::string first, line;
  for (int k = 0; k < 5 && std::getline(lines, line); ++k) first += line + '\n';
  std::ofstream(stopped / "blocks" / "000000_000000000000_000000000001.jsonl") << first;
  std::ofstream(stopped / "blocks" / "000000_000000000001_000000000002.jsonl.part") << "{";
  CHECK(RunScenario(loaded, {.folder = stopped, .jobs = 2, .resume = true}) ==
        RunResult::kFinished);
  CHECK(ReadText(stopped / "records.jsonl") == records);
}

TEST_CASE("A plant that cannot stand still is refused before any trial, with the cure") {
  Json json = Rods();
  json["plant"].erase("friction_integration");
  json["robot"]["truth"]["friction"] = {{"coulomb_nm", 0.01}};
  const TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(Records(json, folder.path() / "r"), doctest::Contains("would chatter"),
                       ConfigError);
}

TEST_CASE("An estimator that takes more time than its plant is given is refused before any trial") {
  Json json = Rods();
  json["laboratory"] = {{"longest_use_s", 50.0}};
  const TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(
      Records(json, folder.path() / "r"),
      doctest::Contains("/estimators/swings: its experiments take at least 80 s of the robot's "
                        "time, and it is given 50 s\n"
                        "  set /laboratory/longest_use_s to 80 or more, or make them shorter"),
      ConfigError);
}

TEST_CASE("An estimator that uses its plant for too long loses it, and fails alone") {
  const TemporaryFolder folder;
  Json json = Rods();
  json["laboratory"] = {{"longest_use_s", 100.0}};
  json["trials"] = 1;
  const std::vector<Json> records = LinesIn(Records(json, folder.path() / "r"));
  CHECK(records[2]["outcome"] == "plant_failed");
  CHECK(records[2]["reason"] ==
        "the plant was in use for 100 s in 6 experiments, and is taken away");
  CHECK(records[3]["outcome"] == "ok");
}

TEST_CASE("An active estimator that fails in every trial is lost as any other") {
  const TemporaryFolder folder;
  Json json = Rods();
  json.erase("sweep");
  json["trials"] = 2;
  json["estimators"] = {{"dino", {{"duration_s", 0.1}}}, {"prior_only", Json::object()}};
  Records(json, folder.path() / "r");
  const RunFolder run(folder.path() / "r");
  const LostEstimators lost = FindLostEstimators(Summarise(run), run.manifest());
  REQUIRE(lost.everywhere.size() == 1);
  CHECK(lost.everywhere[0].starts_with("dino failed in every trial"));
}

}  // namespace
}  // namespace idbench
