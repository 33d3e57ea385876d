#pragma once

#include "bench/cell/prepared_cell.h"
#include "bench/metrics/metric_table.h"
#include "scenarios/options/json.h"
#include "scenarios/scenario_reader.h"

namespace idbench {

/// For tests: planar2, moved exactly, torque noise 0.1 N·m, base parameters with all joint
/// parameters but offset.
inline LoadedScenario PlanarScenario(const char* more = "{}") {
  Json json = ParseJson(R"({
    "name": "m", "robot": {"model": "planar2"}, "control": {"type": "exact_replay"},
    "experiments": {
      "identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "candidates": 1}},
      "validation": {"role": "validation",
        "motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "stream": "validation", "candidates": 1}}},
    "sensors": {"joint_torque": {"noise_std_nm": 0.1}},
    "problem": {"parametrisation": {"friction": ["viscous", "coulomb"], "rotor_inertia": true}},
    "estimators": {"ols": {}}, "trials": 2})",
                        "test");
  json.merge_patch(ParseJson(more, "more"));
  return LoadScenario(json, "test", {}, AllMetrics());
}

/// For tests: the estimate that is the truth.
inline Estimate TrueEstimate(const PreparedCell& context) {
  Estimate estimate;
  estimate.x = context.problem().parameters.FromPi(*context.Run(0).true_pi());
  estimate.pi = context.problem().parameters.Pi(estimate.x);
  return estimate;
}

/// For tests: PlanarScenario(), but for masses and moments with a prior 20 % too heavy, bounded by
/// 0 and twice the prior.
inline LoadedScenario BoundedScenario(const char* more = "{}") {
  Json patch = ParseJson(R"({"problem": {
      "parametrisation": {"type": "masses_and_moments", "friction": ["viscous", "coulomb"], "rotor_inertia": true,
                          "lower_prior_factor": 0, "upper_prior_factor": 2},
      "prior": {"mass_scale": 1.2, "inertia_scale": 1.2, "relative_std": 0.5}}})",
                         "patch");
  patch.merge_patch(ParseJson(more, "more"));
  return PlanarScenario(patch.dump().c_str());
}

}  // namespace idbench
