#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "bench/metrics/metrics.h"
#include "bench/small_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {

/// For tests: planar2 at 100 Hz for 2 s; 2 kg are attached at 0.5 s and become 1 kg from 1 s to 1.5
/// s.
inline Json PayloadScenario() {
  return ParseJson(R"({
    "name": "payload", "robot": {"model": "planar2"}, "control": {"type": "exact_replay"},
    "experiments": {"identification": {
      "motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "candidates": 1},
      "events": [{"at_s": 0.5, "mass_kg": 2, "com_m": [0.1, 0, 0], "inertia_kgm2": [0.1, 0.2, 0.25]},
                 {"type": "ramp", "from_s": 1, "to_s": 1.5, "mass_kg": 1}]}},
    "sensors": {"joint_torque": {"noise_std_nm": 0.1}},
    "problem": {"prior": {"relative_std": 0.975},
      "parametrisation": {"type": "payload", "payload": {"com_m": [0.1, 0, 0], "mass_bounds_kg": [0, 4],
        "moment_bounds_kgm2": [0, 1], "prior_range_fraction": 0.025}}},
    "windows": {
      "before": {"until_s": 0.5, "unknowns": ["payload.m"]},
      "rest": {"from_s": 0.5, "until_s": 1, "unknowns": ["payload.m"]},
      "moments": {"from_s": 0.5, "until_s": 1, "unknowns": ["payload.Ixx", "payload.Izz"], "settled_fraction": 0.1},
      "ramp": {"from_s": 1, "until_s": 1.51, "unknowns": ["payload.m", "payload.Izz"]}},
    "estimators": {"ekf": {}, "map": {}}, "trials": 2, "timing_trials": 1})",
                   "payload");
}

/// For tests: mass of the payload in PayloadScenario().
inline double TrueMass(double t_s) {
  if (t_s < 0.5 - 1e-9) return 0.0;
  return 2.0 - std::clamp((t_s - 1.0) / 0.5, 0.0, 1.0);
}

/// For tests: the samples of series from one on, up to another.
inline void KeepSamples(std::vector<Series>& all, Eigen::Index from, Eigen::Index count) {
  for (Series& series : all) {
    series.time_s = series.time_s.segment(from, count).eval();
    series.values = series.values.middleRows(from, count).eval();
  }
}

/// For tests: one cell of a scenario, and its first trial.
struct TrackedRun {
  explicit TrackedRun(const Json& json)
      : loaded(Load(json)), context(loaded, loaded.cells[0], rollouts), data(context.Run(0)) {}

  /// An estimate with a series of 200 samples whose error in every unknown is `error(t)`, a part of
  /// the truth, and whose σ is `sigma` of it.
  Estimate Track(const std::function<double(double)>& error, double sigma) const {
    Series x = {.name = std::string(kParameters),
                .columns = context.problem().parameters.names,
                .units = context.problem().parameters.units,
                .time_s = Eigen::VectorXd(200),
                .values = Eigen::MatrixXd(200, 4)};
    Series of_sigma = x;
    of_sigma.name = kParameterSigma;
    for (int k = 0; k < 200; ++k) {
      const double t_s = 0.01 * k;
      const Eigen::RowVector4d truth = TrueMass(t_s) * Eigen::RowVector4d(1.0, 0.05, 0.1, 0.125);
      x.time_s[k] = of_sigma.time_s[k] = t_s;
      x.values.row(k) = (1.0 + error(t_s)) * truth;
      of_sigma.values.row(k) = sigma * truth;
    }
    Estimate estimate;
    estimate.x = x.values.bottomRows(1).transpose();
    estimate.pi = context.problem().parameters.Pi(estimate.x);
    estimate.covariance = Eigen::MatrixXd::Identity(4, 4);
    estimate.series = {std::move(x), std::move(of_sigma)};
    return estimate;
  }

  std::vector<MetricValue> Judge(const Estimate& estimate) {
    return MetricEvaluator(context, loaded.metrics).Evaluate({{estimate}}, data);
  }

  LoadedScenario loaded;
  RolloutStore rollouts;
  PreparedCell context;
  TrialData data;
};

/// For tests: a joint that swings by 1 rad at 0.5 Hz, followed within ±0.7 rad.
inline Json ParticleScenario() {
  return ParseJson(R"({
    "name": "particle", "robot": {"model": "planar1"}, "control": {"type": "exact_replay"},
    "experiments": {"identification": {"motion": {"type": "fourier", "harmonics": 1, "base_frequency_hz": 0.5,
      "duration_s": 4, "candidates": 1, "centre_q_rad": [0], "amplitude_fraction": 0.357142857,
      "velocity_limits": false, "acceleration_limits": false}}},
    "sensors": {"joint_position": {"noise_std_rad": 0.02}, "joint_velocity": {"origin": "measured", "noise_std_rad_s": 0.1}},
    "problem": {"parametrisation": {"type": "joint_state", "bounds": {"q": [-0.7, 0.7], "qd": [-10, 10]}},
                "prior": {"std_of_bounds": 1}, "equations": ["joint_position", "joint_velocity"]},
    "windows": {"all": {"until_s": 4, "unknowns": ["joint1.q", "joint1.qd"]}},
    "estimators": {"ekf": {"process_noise": 0.01, "process_noise_decay_s": null},
                   "sigmoid_ekf": {"process_noise": 0.01, "process_noise_decay_s": null}},
    "trials": 1, "timing_trials": 1})",
                   "particle");
}

}  // namespace idbench
