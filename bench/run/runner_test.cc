#include "bench/run/runner.h"

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "bench/small_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// The records of one cell and estimator, without the number of the cell.
std::vector<std::string> Select(const std::string& records, int cell, const std::string& label) {
  std::vector<std::string> selected;
  std::istringstream lines(records);
  for (std::string line; std::getline(lines, line);) {
    Json record = Json::parse(line);
    if (record["cell"] != cell || record["estimator"] != label) continue;
    record.erase("cell");
    selected.push_back(record.dump());
  }
  return selected;
}

TEST_CASE("Records are the same bytes for one thread and for three") {
  const TemporaryFolder folder;
  const std::string one = Records(Description(), folder / "one", 1);
  CHECK(one.size() > 1000);
  CHECK(Records(Description(), folder / "three", 3) == one);
}

TEST_CASE("A robot that is held, pushed and let go makes the same bytes in one thread and in two") {
  const TemporaryFolder folder;
  Json json = ReadJsonFile(std::string(IDBENCH_SOURCE_SCENARIOS) + "/push_and_let_go.json");
  json["trials"] = 4;
  json["timing_trials"] = 0;
  const std::string one = Records(json, folder / "one", 1);
  CHECK(Records(json, folder / "two", 2) == one);
  std::set<std::string> rollouts;
  int observed = 0, judged = 0;
  std::istringstream lines(one);
  for (std::string line; std::getline(lines, line);) {
    const Json record = Json::parse(line);
    CHECK(record["outcome"] == "ok");
    rollouts.insert(record["rollout"].get<std::string>());
    const Json& metrics = record["metrics"];
    observed += metrics.contains("detection_auc@touched") ? 1 : 0;
    judged += metrics.contains("joint_torque_clean_rmse_nm@free_swing") ? 1 : 0;
  }
  CHECK(rollouts.size() == 4);
  CHECK(judged == 4 * 3);
  CHECK(observed == 4 * 5);  // by estimates, prior and truth
}

TEST_CASE("A run that was stopped and resumed gives the same bytes as one that was not") {
  const TemporaryFolder folder;
  const LoadedScenario loaded = Load(Description());
  std::atomic<bool> stop = true;  // before the first trial
  CHECK(RunScenario(loaded, {.folder = folder / "r", .jobs = 1, .stop = &stop}) ==
        RunResult::kInterrupted);
  CHECK_FALSE(std::filesystem::exists(folder / "r" / "records.jsonl"));

  // What a kill leaves behind: some blocks that are whole, and a part of another.
  const std::string whole = Records(Description(), folder / "whole");
  std::istringstream lines(whole);
  std::string block, line;
  for (int k = 0; k < 6 && std::getline(lines, line); ++k) block += line + '\n';
  std::ofstream(folder / "r" / "blocks" / "000000_000000000000_000000000003.jsonl") << block;
  std::ofstream(folder / "r" / "blocks" / "000000_000000000003_000000000004.jsonl.part") << "{";

  CHECK(RunScenario(loaded, {.folder = folder / "r", .jobs = 2, .resume = true}) ==
        RunResult::kFinished);
  CHECK(ReadText(folder / "r" / "records.jsonl") == whole);
  CHECK_FALSE(std::filesystem::exists(folder / "r" / "blocks"));
}

TEST_CASE("A block that is there is kept, not computed again") {
  const TemporaryFolder folder;
  const LoadedScenario loaded = Load(Description());
  std::atomic<bool> stop = true;
  RunScenario(loaded, {.folder = folder / "r", .jobs = 1, .stop = &stop});
  const std::string mark = "{\"mark\":1}\n{\"mark\":2}\n";
  std::ofstream(folder / "r" / "blocks" / "000001_000000000008_000000000009.jsonl") << mark;
  RunScenario(loaded, {.folder = folder / "r", .jobs = 1, .resume = true});
  CHECK(ReadText(folder / "r" / "records.jsonl").ends_with(mark));
}

TEST_CASE("Adding an estimator or a cell changes no other record") {
  const TemporaryFolder folder;
  const std::string before = Records(Description(), folder / "before");
  Json json = Description();
  json["estimators"] =
      Json::parse(R"({"slow wls": {"type": "wls", "reweightings": 1}, "ols": {}, "wls": {}})");
  json["sweep"][0]["set"]["/sensors/joint_torque/noise_std_nm"] = {0.05, 0.1, 0.2};
  const std::string after = Records(json, folder / "after");
  for (const char* label : {"ols", "wls"}) {
    for (const int cell : {0, 1}) {
      CHECK(Select(before, cell, label).size() == 9);
      CHECK(Select(before, cell, label) == Select(after, cell + 1, label));
    }
  }
}

TEST_CASE("The expanded scenario of a run folder reproduces its records") {
  const TemporaryFolder folder;
  const std::string records = Records(Description(), folder / "first");
  const Json manifest = ReadJsonFile(folder / "first" / "manifest.json");
  CHECK(Records(manifest["scenario"], folder / "second") == records);
}

TEST_CASE("Cells with other noise share their draws: the error scales with the noise") {
  const TemporaryFolder folder;
  const std::string records = Records(Description(), folder / "r");
  const auto quiet = Select(records, 0, "ols");
  const auto loud = Select(records, 1, "ols");
  for (std::size_t k = 0; k < quiet.size(); ++k) {
    const auto error = [](const std::string& line) {
      return Json::parse(line)["metrics"]["base_parameter_relative_error"]["value"].get<double>();
    };
    // Twice the noise, linear least squares: twice the error, to the rounding of the solution.
    CHECK(error(loud[k]) == doctest::Approx(2.0 * error(quiet[k])).epsilon(1e-8));
  }
}

TEST_CASE("Without noise least squares finds the truth to 1e-9") {
  const TemporaryFolder folder;
  Json json = Description();
  json["sensors"]["joint_torque"]["noise_std_nm"] = 0;
  json["sweep"] = Json::array();
  const std::string exact = Records(json, folder / "exact");
  for (const char* label : {"ols", "wls"}) {
    for (const std::string& line : Select(exact, 0, label)) {
      CHECK(Json::parse(line)["metrics"]["base_parameter_relative_error"]["value"].get<double>() <
            1e-9);
    }
  }
}

TEST_CASE("A motion drawn per trial gives every trial its own roll-out") {
  const TemporaryFolder folder;
  Json json = Description();
  json["sweep"] = Json::array();
  json["trials"] = 3;
  json["experiments"]["identification"]["motion"]["draw"] = "trial";
  std::set<std::string> rollouts;
  for (const std::string& line : Select(Records(json, folder / "r"), 0, "ols")) {
    rollouts.insert(Json::parse(line)["rollout"].get<std::string>());
  }
  CHECK(rollouts.size() == 3);
}

TEST_CASE("A failed estimate is a record with its reason, and the run goes on") {
  const TemporaryFolder folder;
  Json json = Description();
  // It shows no friction.
  json["experiments"]["identification"]["motion"] =
      ParseJson(R"({"type": "way_points", "points_rad": [[0.3, 0.2]], "dwell_s": 2})", "still");
  json["sweep"] = Json::array();
  const auto lines = Select(Records(json, folder / "r"), 0, "ols");
  REQUIRE(lines.size() == 9);
  const Json record = Json::parse(lines[0]);
  CHECK(record["outcome"] == "rank_deficient");
  CHECK(record["reason"].get<std::string>().find("the data determine") == 0);
  CHECK(record["metrics"].empty());
}

TEST_CASE("A trial whose robot diverges is a failed record of every estimator") {
  const TemporaryFolder folder;
  Json json = Description();
  json["sweep"] = Json::array();
  json["trials"] = 2;
  json["plant"] = {{"type", "mujoco"}, {"max_steps", 10}};
  json["control"] = {{"type", "computed_torque"}, {"model", "truth"}};
  json["experiments"]["identification"]["motion"]["draw"] = "trial";
  const auto lines = Select(Records(json, folder / "r"), 0, "wls");
  REQUIRE(lines.size() == 2);
  const Json record = Json::parse(lines[1]);
  CHECK(record["outcome"] == "plant_failed");
  CHECK(record["reason"] == "the experiment takes more than max_steps = 10 steps of 0.00025 s");
  CHECK(record["metrics"].empty());
}

TEST_CASE("A motion of the whole cell that fails is refused before anything is written") {
  const TemporaryFolder folder;
  Json json = Description();
  json["plant"] = {{"type", "mujoco"}, {"max_steps", 10}};
  json["control"] = {{"type", "computed_torque"}, {"model", "truth"}};
  std::string message;
  try {
    RunScenario(Load(json), {.folder = folder / "r", .jobs = 1});
  } catch (const ConfigError& error) {
    message = error.what();
  }
  CHECK(message ==
        "test: /experiments/identification: the experiment takes more than max_steps = 10 steps of "
        "0.00025 s\n  in the sweep's noise 0.1");
  CHECK_FALSE(std::filesystem::exists(folder / "r"));
}

TEST_CASE("A folder that holds a run is not overwritten, and only its own run goes on in it") {
  const TemporaryFolder folder;
  Records(Description(), folder / "r");
  const auto message = [&](const Json& json, bool resume) -> std::string {
    try {
      RunScenario(Load(json), {.folder = folder / "r", .jobs = 1, .resume = resume});
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message(Description(), false) ==
        (folder / "r").string() +
            ": holds a run already\n"
            "  give another --out, remove the folder, or go on with --resume");
  CHECK(message(Description(), true).empty());
  Json other = Description();
  other["seed"] = 2;
  CHECK(message(other, true) == (folder / "r").string() +
                                    ": holds another run: another scenario\n"
                                    "  /scenario/seed is 2 here, 1 in its manifest.json\n"
                                    "  --resume goes on with the same scenario and options");
}

TEST_CASE("Two estimators in one folder are timed as often as the scenario says") {
  const TemporaryFolder folder;
  Records(Description(), folder / "r");
  std::istringstream lines(ReadText(folder / "r" / "timings.jsonl"));
  std::map<std::string, int> counts;
  for (std::string line; std::getline(lines, line);) {
    const Json timing = Json::parse(line);
    CHECK(timing["estimate_ms"].get<double>() >= 0.0);
    ++counts[timing["cell"].dump() + timing["estimator"].get<std::string>()];
  }
  CHECK(counts == std::map<std::string, int>{{"0ols", 2}, {"0wls", 2}, {"1ols", 2}, {"1wls", 2}});
}

}  // namespace
}  // namespace idbench
