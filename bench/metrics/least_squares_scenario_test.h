#pragma once

#include "bench/metrics/metrics.h"
#include "scenarios/options/json.h"

namespace idbench {

/// Returns the description of a scenario for tests of bounds: least squares on planar2, moved
/// exactly, with white noise of its torques.
inline Json LeastSquaresDescription() {
  return ParseJson(R"({
    "name": "b", "robot": {"model": "planar2"}, "control": {"type": "exact_replay"},
    "experiments": {"identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "candidates": 1}}},
    "sensors": {"joint_torque": {"noise_std_nm": [0.1, 0.1]}},
    "problem": {"parametrisation": {"friction": ["viscous", "coulomb"], "rotor_inertia": true}},
    "estimators": {"ols": {}}, "trials": 2})",
                   "test");
}

/// Returns that scenario, loaded.
/// @param more  a merge patch.
inline LoadedScenario LeastSquaresScenario(const char* more = "{}") {
  Json json = LeastSquaresDescription();
  json.merge_patch(ParseJson(more, "more"));
  return LoadScenario(json, "test", {}, AllMetrics());
}

}  // namespace idbench
