#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "bench/small_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// planar2 by computed torque; σ is declared, but there is no noise.
Json NoiseFreeArm() {
  return ParseJson(R"({
    "name": "arm", "robot": {"model": "planar2"}, "control": {"type": "exact_replay"},
    "experiments": {"identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2,
      "design_duration_s": 2, "candidates": 1}}},
    "sensors": {"joint_position": {"origin": "measured"}, "joint_velocity": {"origin": "measured"},
      "joint_acceleration": {"origin": "measured"},
      "joint_torque": {"declared_sigma_nm": 0.1}},
    "problem": {"prior": {"mass_scale": 1.2, "relative_std": 0.5}},
    "estimators": {"ols": {}, "wls": {}, "map": {}, "ekf": {}, "rls": {"forgetting_time_s": 0.5}},
    "metrics": ["joint_torque_clean_rmse_nm"], "trials": 1, "timing_trials": 0})",
                   "arm");
}

/// Three links under open-loop torque, which move from the first instant.
Json NoiseFreeWalker() {
  return ParseJson(R"({
    "name": "walker", "robot": {"model": "biped3"},
    "plant": {"type": "mujoco", "timestep_s": 0.001, "integrator": "RK4"},
    "experiments": {"identification": {"control": {"type": "torque_replay", "duration_s": 0.6,
      "q_rad": [-0.25, 3.6, 0.7], "qd_rad_s": [1, 1, -0.3], "actuators": {
        "hip_stance": {"amplitude_nm": [12, 6], "frequency_hz": [1.7, 4.1], "phase_rad": [0.4, 1], "offset_nm": -20},
        "hip_swing": {"amplitude_nm": [8, 5], "frequency_hz": [2.3, 5.3], "phase_rad": [1.4, 0.2], "offset_nm": 8}}}}},
    "sensors": {"rate_hz": 100,
      "joint_position": {"joints": {"q1": {"declared_sigma_rad": 0.001}}},
      "actuator_torque": {"origin": "measured", "declared_sigma_nm": 0.3},
      "joint_velocity": {"origin": "absent"}, "joint_acceleration": {"origin": "absent"}, "joint_torque": {"origin": "absent"}},
    "problem": {"parametrisation": {"type": "planar_lagrangian"},
      "prior": {"unknown_scale": [1.3, 0.7, 1.3, 0.7, 1.3, 0.7, 1.3, 0.7]}},
    "estimators": {"wls_fcd": {}, "rls_fcd": {}, "mle": {}, "zd_ml": {}, "weak_form": {}, "iv": {}},
    "metrics": ["parameter_error_fraction"], "trials": 1, "timing_trials": 0})",
                   "walker");
}

/// The estimates of a run whose roll-out and readings are later by `shift_s`.
std::vector<Json> EstimatesOf(Json json, const char* duration, double duration_s, double shift_s) {
  json[Json::json_pointer(duration)] = duration_s + shift_s;
  for (auto& [name, sensor] : json["sensors"].items()) {
    if (sensor.is_object() && sensor.value("origin", "") != "absent") sensor["delay_s"] = shift_s;
  }
  const TemporaryFolder folder;
  std::istringstream lines(Records(json, folder / "r"));
  std::vector<Json> records;
  for (std::string line; std::getline(lines, line);) records.push_back(Json::parse(line));
  return records;
}

TEST_CASE("A shift of all channels by whole samples changes no noise-free estimate") {
  struct Case {
    Json json;
    const char* duration;
    double duration_s;
  };
  for (const Case& each :
       {Case{NoiseFreeArm(), "/experiments/identification/motion/duration_s", 2.0},
        Case{NoiseFreeWalker(), "/experiments/identification/control/duration_s", 0.6}}) {
    const auto now = EstimatesOf(each.json, each.duration, each.duration_s, 0.0);
    const auto late = EstimatesOf(each.json, each.duration, each.duration_s, 0.03);
    REQUIRE(now.size() == late.size());
    for (std::size_t k = 0; k < now.size(); ++k) {
      CAPTURE(now[k]["estimator"]);
      REQUIRE(now[k]["outcome"] == late[k]["outcome"]);
      REQUIRE(now[k]["x"].size() == late[k]["x"].size());
      REQUIRE(now[k]["x"].size() > 0);
      for (std::size_t i = 0; i < now[k]["x"].size(); ++i) {
        // The same numbers under other stamps, whose differences round.
        CHECK(late[k]["x"][i].get<double>() ==
              doctest::Approx(now[k]["x"][i].get<double>()).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("A delay longer than an experiment is refused") {
  Json json = NoiseFreeArm();
  json["sensors"]["joint_torque"]["delay_s"] = 3;
  const TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(
      Records(json, folder / "r"),
      "test: /experiments/identification: no sample of joint_position is left of "
      "its 1.99 s\n  data begin when the longest delay_s of the sensors has passed",
      ConfigError);
}

}  // namespace
}  // namespace idbench
