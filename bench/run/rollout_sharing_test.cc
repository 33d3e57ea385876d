#include <doctest/doctest.h>

#include "bench/small_run_test.h"
#include "reports/run/merge_runs.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Three cells that differ in their equations alone. Base wrench, and torque and wrench together,
/// have the same 50 independent columns, and yet another one of 10 candidates is the best for them.
Json EquationsSweep(int seed) {
  Json json = ParseJson(R"({
    "name": "equations", "robot": {"model": "barrett_wam7"}, "control": {"type": "exact_replay"},
    "experiments": {"identification": {"motion": {"type": "fourier", "duration_s": 5, "candidates": 10}}},
    "sensors": {"joint_torque": {"noise_std_nm": 0.1}, "base_wrench": {"origin": "measured", "noise_std_n_nm": 0.1}},
    "problem": {"equations": ["joint_torque"]}, "metrics": ["base_parameter_relative_error"],
    "estimators": {"ols": {}}, "trials": 1, "timing_trials": 0, "keep_series": [],
    "sweep": [{"name": "equations", "values": ["wrench", "both", "torque"],
      "set": {"/problem/equations": [["base_wrench"], ["joint_torque", "base_wrench"], ["joint_torque"]]}}]})",
                        "equations");
  json["seed"] = seed;
  return json;
}

TEST_CASE("Records of cells with other equations depend on neither jobs nor shards") {
  // Of these seeds the winners among the candidates differ between the first two cells.
  for (const int seed : {2, 3}) {
    CAPTURE(seed);
    const TemporaryFolder folder;
    const LoadedScenario loaded = Load(EquationsSweep(seed));
    const std::string whole = Records(EquationsSweep(seed), folder / "whole");
    for (const int jobs : {2, 4}) {
      CHECK(Records(EquationsSweep(seed), folder / std::to_string(jobs), jobs) == whole);
    }
    for (const int count : {2, 3, 4}) {
      std::vector<std::filesystem::path> shards;
      for (int index = 1; index <= count; ++index) {
        const std::string name = std::to_string(index) + "of" + std::to_string(count);
        shards.push_back(folder / name);
        RunScenario(loaded, {.folder = shards.back(), .shard = Shard{index, count}});
      }
      const std::filesystem::path merged = folder / ("m" + std::to_string(count));
      MergeRuns(shards, merged);
      CHECK(ReadText(merged / "records.jsonl") == whole);
    }
  }
}

}  // namespace
}  // namespace idbench
