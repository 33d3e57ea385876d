#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "bench/captured_output_test.h"
#include "bench/gate/baseline.h"
#include "bench/metrics/metrics.h"
#include "bench/run/runner.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/json.h"
#include "scenarios/scenario_reader.h"

namespace idbench {

/// A quick simulation, gated by the error of its base parameters.
inline Json GatedSimulation() {
  return ParseJson(R"({
    "name": "g", "robot": {"model": "planar1"}, "control": {"type": "exact_replay"},
    "experiments": {"identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5,
      "duration_s": 2, "candidates": 1}}},
    "sensors": {"joint_torque": {"noise_std_nm": 0.1}},
    "problem": {"parametrisation": {"friction": ["viscous", "coulomb"],
                                    "rotor_inertia": true}},
    "estimators": {"ols": {}, "wls": {}}, "trials": 24, "timing_trials": 0, "keep_series": [],
    "metrics": ["base_parameter_relative_error"],
    "gate": {"tolerance": 0.02, "reserve_trials": 20}})",
                   "test");
}

/// The first headline metric of SimulationWithoutGateMetric() that ranks estimators.
inline constexpr const char* kHeldOutError = "joint_torque_relative_error@validation";

/// GatedSimulation() with an experiment that is held out; it names no metrics, so that it has all
/// of them, and none for its gate.
inline Json SimulationWithoutGateMetric() {
  Json json = GatedSimulation();
  json.erase("metrics");
  json["experiments"]["validation"] = json["experiments"]["identification"];
  json["experiments"]["validation"]["role"] = "validation";
  json["experiments"]["validation"]["motion"]["stream"] = "validation";
  return json;
}

/// A run, a copy of it to be changed, and the run's baseline.
class GatedRun {
 public:
  explicit GatedRun(double tolerance = 0.02, int trials = 24, int reserve_trials = 20)
      : GatedRun([&] {
          Json json = GatedSimulation();
          json["gate"]["tolerance"] = tolerance;
          json["trials"] = trials;
          json["gate"]["reserve_trials"] = reserve_trials;
          return json;
        }()) {}

  explicit GatedRun(const Json& json) {
    const Redirected errors(stderr, folder_.path() / "progress");
    RunScenario(LoadScenario(json, "test", {}, AllMetrics()), {.folder = Path("run")});
    WriteBaseline(Path("run"), Path("base"));
  }

  std::filesystem::path Path(const std::string& name) const { return folder_.path() / name; }

  ProgramResult Gate(const std::string& run = "run", const std::string& base = "base",
                     const std::vector<std::string>& more = {}) const {
    std::vector<std::string> call = {"gate", Path(run), "--baseline", Path(base), "--jobs", "1"};
    call.insert(call.end(), more.begin(), more.end());
    return Call(call);
  }

  /// A copy of the run with other records.
  void Copy(const std::string& name, const std::function<void(Json&)>& change) const {
    std::filesystem::create_directories(Path(name));
    std::filesystem::copy_file(Path("run") / "manifest.json", Path(name) / "manifest.json");
    std::ifstream lines(Path("run") / "records.jsonl");
    std::ofstream changed(Path(name) / "records.jsonl");
    for (std::string line; std::getline(lines, line);) {
      Json record = Json::parse(line);
      change(record);
      changed << record.dump() << '\n';
    }
  }

  /// Changes a copy of the run's manifest.
  void CopyManifest(const std::string& name, const std::function<void(Json&)>& change) const {
    Copy(name, [](Json&) {});
    Json manifest = ReadJsonFile(Path(name) / "manifest.json");
    change(manifest);
    std::ofstream(Path(name) / "manifest.json") << manifest.dump();
  }

  /// Scales a metric of `wls`.
  static void Scale(Json& record, double factor,
                    const std::string& metric = "base_parameter_relative_error") {
    if (record["estimator"] != "wls") return;
    Json& value = record["metrics"][metric]["value"];
    value = factor * value.get<double>();
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace idbench
