#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/small_run_test.h"
#include "reports/run/merge_runs.h"

namespace idbench {
namespace {

/// Identification under touches and a push that no model knows, drawn anew in each trial.
Json TouchedDescription() {
  Json json = Description();
  json["control"] = {{"type", "computed_torque"}};
  json["problem"]["prior"] = Json::object();
  json["sensors"]["rate_hz"] = 100;
  json["trials"] = 5;
  json["timing_trials"] = 0;
  json["experiments"]["identification"]["environment"] = ParseJson(R"({"touches": [
      {"type": "push", "link": "link1", "impulse_ns": [0.5, 0, 0], "axes": "base", "at_s": 0.7,
       "duration_s": 0.05},
      {"type": "drawn_touches", "link": "link2", "axis_from_m": [0, 0, 0], "axis_to_m": [0.2, 0, 0],
       "radius_m": 0.03, "tangential_fraction": 0.2, "force_n": [0.5, 5], "ramp_s": [0.02, 0.1],
       "hold_s": [0.1, 0.3], "gap_s": [0.1, 0.5], "draw": "trial"}]})",
                                                                   "environment");
  return json;
}

TEST_CASE(
    "Records of touched robots depend on neither jobs nor shards, nor on who wrote defaults") {
  const TemporaryFolder folder;
  const Json json = TouchedDescription();
  const std::string whole = Records(json, folder / "whole");
  CHECK(Records(json, folder / "jobs", 3) == whole);
  std::vector<std::filesystem::path> shards;
  const LoadedScenario loaded = Load(json);
  for (const int index : {3, 1, 2}) {
    shards.push_back(folder / std::to_string(index));
    RunScenario(loaded, {.folder = shards.back(), .shard = Shard{index, 3}});
  }
  MergeRuns(shards, folder / "merged");
  CHECK(ReadText(folder / "merged" / "records.jsonl") == whole);
  CHECK(Records(*loaded.expanded, folder / "expanded") == whole);
  // Each trial has a roll-out of its own.
  std::vector<std::string> rollouts;
  std::istringstream lines(whole);
  for (std::string line; std::getline(lines, line);) {
    rollouts.push_back(ParseJson(line, "record").at("rollout").get<std::string>());
  }
  std::ranges::sort(rollouts);
  rollouts.erase(std::ranges::unique(rollouts).begin(), rollouts.end());
  CHECK(rollouts.size() == 5);  // that both cells share
}

TEST_CASE("An expanded scenario from before there were environments gives the same records") {
  const TemporaryFolder folder;
  Json former = *Load(Description()).expanded;
  Json& experiment = former["experiments"]["identification"];
  REQUIRE(experiment.contains("environment"));
  CHECK(experiment["environment"] == nullptr);
  experiment.erase("environment");
  CHECK(Records(former, folder / "former") == Records(Description(), folder / "now"));
}

TEST_CASE("Touches that no model knows spoil what is identified under them") {
  const TemporaryFolder folder;
  const auto worst = [&](const Json& json, const char* name) {
    double error = 0.0;
    std::istringstream lines(Records(json, folder / name));
    for (std::string line; std::getline(lines, line);) {
      error = std::max(error, MetricOf(ParseJson(line, "record"), "base_parameter_relative_error"));
    }
    return error;
  };
  Json free = TouchedDescription();
  free["experiments"]["identification"].erase("environment");
  CHECK(worst(TouchedDescription(), "touched") > 2.0 * worst(free, "free"));
}

}  // namespace
}  // namespace idbench
