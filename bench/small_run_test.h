#pragma once

#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/metrics/metrics.h"
#include "bench/run/runner.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/json.h"

/// Small runs, for the tests of this folder.
namespace idbench {

/// Returns a scenario: least squares on planar2, moved exactly, with two amplitudes
/// of torque noise.
inline Json Description() {
  return ParseJson(R"({
    "name": "r", "robot": {"model": "planar2"}, "control": {"type": "exact_replay"},
    "experiments": {"identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "candidates": 2}}},
    "sensors": {"joint_torque": {"noise_std_nm": 0.1}},
    "problem": {"parametrisation": {"friction": ["viscous", "coulomb"], "rotor_inertia": true}},
    "estimators": {"ols": {}, "wls": {}}, "trials": 9, "timing_trials": 2,
    "sweep": [{"name": "noise", "set": {"/sensors/joint_torque/noise_std_nm": [0.1, 0.2]}}]})",
                   "test");
}

inline LoadedScenario Load(const Json& json) {
  return LoadScenario(json, "test", {}, AllMetrics());
}

/// Runs the scenario into `folder`.
/// @return its records.jsonl.
inline std::string Records(const Json& json, const std::filesystem::path& folder, int jobs = 1) {
  if (RunScenario(Load(json), {.folder = folder, .jobs = jobs}) != RunResult::kFinished) {
    throw std::runtime_error("the run was interrupted");
  }
  return ReadText(folder / "records.jsonl");
}

/// Returns the JSON lines of a text: records of a run, or of its series.
inline std::vector<Json> LinesIn(const std::string& text) {
  std::vector<Json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(ParseJson(line, "test"));
  return lines;
}

/// The value of a metric of a record.
inline double MetricOf(const Json& record, const std::string& name) {
  return record.at("metrics").at(name).at("value").get<double>();
}

/// What loading the scenario refuses first, "where: what"; "" if nothing.
inline std::string FirstRefusal(const Json& json) {
  try {
    Load(json);
  } catch (const ConfigError& error) {
    return error.issues()[0].where + ": " + error.issues()[0].what;
  }
  return "";
}

}  // namespace idbench
