#pragma once

#include "bench/cell/prepared_cell.h"
#include "bench/metrics/metric_value_test.h"
#include "bench/metrics/metrics.h"
#include "scenarios/options/json.h"

namespace idbench {

/// For tests: the walker of three links on motions B and V of the study of Dolinský & Čelikovský
/// 2018, with the noise of case 2 and two trials.
inline LoadedScenario BipedScenario(const char* more = "{}") {
  Json json = ParseJson(R"({
    "name": "biped", "robot": {"model": "biped3"},
    "plant": {"type": "mujoco", "timestep_s": 0.001, "integrator": "RK4"},
    "experiments": {
      "identification": {"control": {"type": "torque_replay", "duration_s": 0.68,
        "q_rad": [-0.3927, 3.927, 0.9163], "qd_rad_s": [1.42, 3.4, -0.7],
        "actuators": {
          "hip_stance": {"chebyshev_period_s": 0.68, "chebyshev_nm": [-42.7719, 36.6241, -27.4759, 6.4159, 8.4951,
            -5.7072, 1.1976, 0.1476, -0.118, 0.0168, 0.0168]},
          "hip_swing": {"chebyshev_period_s": 0.68, "chebyshev_nm": [19.9956, -18.3253, 28.9376, -9.0701, -5.7891,
            5.5418, -1.9777, 0.1384, 0.2658, -0.2081, 0.0651]}}}},
      "validation": {"role": "validation", "control": {"type": "torque_replay", "duration_s": 0.68,
        "q_rad": [-0.3, 3.6, 0.6], "qd_rad_s": [0.95, -0.4, 0.2],
        "actuators": {
          "hip_stance": {"chebyshev_period_s": 0.68, "chebyshev_nm": [-22.4102, 6.6674, 1.8592, -1.4527, 0.5219,
            -0.0048, -0.0028, 0.0018, -0.0005]},
          "hip_swing": {"chebyshev_period_s": 0.68, "chebyshev_nm": [3.3044, 8.8206, 1.6795, 0.5663, -0.3417,
            -0.0272, -0.0119, -0.0018, -0.0002]}}}}},
    "sensors": {"joint_position": {"joints": {"q1": {"noise_std_rad": 1e-4}}},
                "joint_velocity": {"origin": "oracle"}, "joint_acceleration": {"origin": "oracle"},
                "joint_torque": {"origin": "oracle"}, "actuator_torque": {"origin": "measured", "noise_std_nm": 0.31622776601683794}},
    "problem": {"parametrisation": {"type": "planar_lagrangian"}, "prior": {}},
    "estimators": {"prior_only": {}}, "trials": 2})",
                        "biped");
  json.merge_patch(ParseJson(more, "more"));
  return LoadScenario(json, "biped", {}, AllMetrics());
}

/// The only cell of a scenario, and its metrics.
struct OneCell {
  explicit OneCell(LoadedScenario scenario)
      : loaded(std::move(scenario)),
        context(loaded, loaded.cells[0], rollouts),
        evaluator(context, loaded.metrics),
        data(context.Run(0)) {}

  Estimate EstimateOf(const Eigen::VectorXd& x) const {
    Estimate estimate;
    estimate.x = x;
    estimate.pi = context.problem().parameters.Pi(x);
    return estimate;
  }
  Eigen::VectorXd true_unknowns() const {
    return context.problem().parameters.FromPi(*data.true_pi());
  }
  MetricValue Metric(const Estimate& estimate, const std::string& name) {
    return Find(evaluator.Evaluate({{estimate}}, data), name);
  }

  LoadedScenario loaded;
  RolloutStore rollouts;
  PreparedCell context;
  MetricEvaluator evaluator;
  TrialData data;
};

}  // namespace idbench
