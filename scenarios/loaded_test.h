#pragma once

#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "robots/temporary_folder_test.h"
#include "scenarios/options/json.h"
#include "scenarios/scenario_reader.h"

/// For tests of what is said of a scenario as a whole.
namespace idbench {

inline constexpr auto kTwoMetrics = std::to_array<MetricInfo>({
    {.name = "joint_torque_rmse_nm",
     .unit = "N·m",
     .better = Better::kLower,
     .scope = MetricInfo::Scope::kExperiment,
     .components = MetricInfo::Components::kJoints},
    {.name = "base_parameter_relative_error",
     .better = Better::kLower,
     .needs = {Capability::kTruth}},
});

/// Returns a simulation of planar2 that is fine.
inline Json SmallSimulation() {
  return ParseJson(R"({
    "name": "s", "robot": {"model": "planar2"},
    "experiments": {"identification": {"role": "identification", "motion": {"type": "fourier"}}},
    "sensors": {"joint_torque": {"noise_std_nm": 0.1}},
    "problem": {"prior": {"mass_scale": 1.2}},
    "estimators": {"ols": {}}, "trials": 3})",
                   "simulation");
}

/// Returns a recording of planar1 that is fine, without samples, of a file in `folder`.
inline Json SmallRecording(const TemporaryFolder& folder) {
  folder.Write("there.csv", "t_s\n");
  Json json = ParseJson(R"({
    "name": "r", "robot": {"model": "planar1"},
    "recording": {"root": "", "columns": {"time": "t_s", "joint_position": "q1_rad",
                                          "joint_torque": "tau1_nm"}},
    "experiments": {"a": {"file": "there.csv"}}, "estimators": {"ols": {}}})",
                        "recording");
  json["recording"]["root"] = folder.path().string();
  return json;
}

inline LoadedScenario LoadSmall(Json json, const std::vector<Override>& overrides = {},
                                std::span<const MetricInfo> metrics = kTwoMetrics) {
  return LoadScenario(std::move(json), "test.json", overrides, metrics);
}

/// Returns the message of what is wrong, "" if nothing is.
inline std::string LoadMessage(Json json, const std::vector<Override>& overrides = {},
                               std::span<const MetricInfo> metrics = kTwoMetrics) {
  try {
    LoadSmall(std::move(json), overrides, metrics);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace idbench
