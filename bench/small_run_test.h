#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "bench/metrics/metrics.h"
#include "bench/run/runner.h"
#include "scenarios/options/json.h"

/// Small runs, for the tests of this folder.
namespace idbench {

/// Folder that is removed with this object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static std::atomic<int> count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("idbench_runner_test_" + std::to_string(::getpid()) + "_" + std::to_string(count++));
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline std::string ReadAll(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot be read: " + file.string());
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

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
  return ReadAll(folder / "records.jsonl");
}

}  // namespace idbench
