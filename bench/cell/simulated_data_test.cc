#include "bench/cell/simulated_data.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "bench/cell/prepared_cell.h"
#include "bench/metrics/metric_table.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// One cell of planar2, whose validation is simulated before its identification.
struct TwoExperiments {
  explicit TwoExperiments(const char* more = "{}")
      : loaded(LoadScenario(Patched(more), "test", {}, AllMetrics())),
        context(loaded, loaded.cells[0], rollouts) {}

  static Json Patched(const char* more) {
    Json json = ParseJson(R"({
      "name": "d", "robot": {"model": "planar2"}, "control": {"type": "exact_replay"},
      "experiments": {
        "validation": {"role": "validation", "motion": {"type": "fourier", "base_frequency_hz": 1, "duration_s": 1,
          "stream": "other", "candidates": 1, "amplitude_fraction": 0.3}},
        "identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "candidates": 1}}},
      "sensors": {"joint_torque": {"noise_peak_fraction": 0.01}},
      "problem": {}, "estimators": {"ols": {}}, "trials": 2})",
                          "test");
    json.merge_patch(ParseJson(more, "more"));
    return json;
  }
  std::vector<double> sigma() const { return (*context.sensors())[kJointTorque].noise_std.values; }

  LoadedScenario loaded;
  RolloutStore rollouts;
  PreparedCell context;
};

TEST_CASE("A peak fraction is of the nominal robot's torque on the first identification motion") {
  const TwoExperiments cell;
  const TrialData data = cell.context.Run(0);
  const Signals& clean = *data.clean[1];
  // Replayed exactly, the motion is what was desired; friction is that of the nominal set.
  const Dynamics dynamics(data.problem().model, data.truth->robot.true_robot().friction_shape());
  Dynamics::Scratch scratch(dynamics);
  Eigen::MatrixXd tau(clean.time_s.size(), 2);
  dynamics.InverseDynamics(
      cell.loaded.robot.FindSet("")->pi,
      {clean[kJointPosition], clean[kJointVelocity], clean[kJointAcceleration]}, scratch, tau);
  for (const std::size_t joint : {0, 1}) {
    const double peak = tau.col(static_cast<Eigen::Index>(joint)).cwiseAbs().maxCoeff();
    // MuJoCo's inverse dynamics against ours: rounding.
    CHECK(cell.sigma()[joint] == doctest::Approx(0.01 * peak).epsilon(1e-9));
  }
  for (const Dataset& dataset : data.datasets) {  // and the same for both
    CHECK(dataset.Get(kJointTorque).sigma[0] == cell.sigma()[0]);
    CHECK(dataset.Get(kJointTorque).sigma[1] == cell.sigma()[1]);
  }
}

TEST_CASE("A peak fraction tells nothing of the true robot") {
  const std::vector<double> sigma = TwoExperiments().sigma();
  CHECK(TwoExperiments(R"({"robot": {"truth": {"mass_scale": 2, "friction": {"coulomb_nm": 9}}}})")
            .sigma() == sigma);
  CHECK(TwoExperiments(
            R"({"robot": {"truth": {"draw": "trial", "mass_error": {"type": "uniform"}}}})")
            .sigma() == sigma);
  CHECK(TwoExperiments(
            R"({"experiments": {"identification": {"motion": {"base_frequency_hz": 0.7}}}})")
            .sigma() != sigma);
  const auto of_duty_cycles = [](const char* motor) {
    Json json = ParseJson(
        R"({"sensors": {"motor_pwm": {"origin": "measured", "noise_peak_fraction": 0.01}}})",
        "more");
    json["robot"]["truth"]["motor"] = ParseJson(motor, "motor");
    return (*TwoExperiments(json.dump().c_str()).context.sensors())[kMotorPwm].noise_std.values;
  };
  CHECK(of_duty_cycles(R"({"gain_drift_per_min": -10})") == of_duty_cycles("{}"));
  CHECK(of_duty_cycles(R"({"gear_ratio": 2})") != of_duty_cycles("{}"));
}

TEST_CASE("A peak fraction does not change with the part of a motion that is recorded") {
  const auto sigma = [](double duration_s, const char* more = "{}") {
    Json json = {{"experiments", {{"identification", {{"motion", {{"design_duration_s", 2.0}}}}}}}};
    json.merge_patch(ParseJson(more, "more"));
    json["experiments"]["identification"]["motion"]["duration_s"] = duration_s;
    return TwoExperiments(json.dump().c_str()).sigma();
  };
  const std::vector<double> designed = sigma(2.0);
  CHECK(designed == TwoExperiments().sigma());
  CHECK(sigma(0.3) == designed);
  CHECK(sigma(5.0) == designed);
  // The blend into a motion does not count among what was designed.
  const char* blended = R"({"experiments": {"identification": {"motion": {
      "start_q_rad": [0, 0], "rest_s": 0.5, "blend_s": 1.5, "amplitude_fraction": 0.2}}}})";
  CHECK(sigma(2.2, blended) == sigma(6.0, blended));
}

TEST_CASE("Trials have one roll-out if what they identify from is the same before its sensors") {
  const auto rollout = [](const char* more) { return TwoExperiments(more).context.Run(0).rollout; };
  const std::string plain = rollout("{}");
  CHECK(rollout(R"({"sensors": {"joint_torque": {"noise_peak_fraction": 0.05}}})") == plain);
  CHECK(rollout(R"({"experiments": {"validation": {"motion": {"stream": "third"}}}})") == plain);
  CHECK(rollout(R"({"experiments": {"validation": null}})") == plain);
  CHECK(rollout(R"({"problem": {"prior": {"mass_scale": 2}}})") == plain);
  CHECK(rollout(R"({"experiments": {"identification": {"motion": {"stream": "third"}}}})") !=
        plain);
  CHECK(rollout(R"({"robot": {"truth": {"mass_scale": 2}}})") != plain);
  CHECK(rollout(R"({"sensors": {"rate_hz": 50}})") != plain);
  // Of two that are identified from, the order counts: their data are told apart.
  const auto both = [&](const char* first, const char* second) {
    return rollout(
        (R"({"experiments": {"validation": {"role": "identification", "motion": {"stream": ")" +
         std::string(first) +
         R"(", "base_frequency_hz": 0.5, "duration_s": 2, "amplitude_fraction": 1}},
        "identification": {"motion": {"stream": ")" +
         second + R"("}}}})")
            .c_str());
  };
  CHECK(both("a", "b") != both("b", "a"));
}

TEST_CASE("A seed of noise draws fresh noise on the same robots, motions and roll-outs") {
  const char* const drawn =
      R"({"robot": {"truth": {"draw": "trial", "mass_error": {"type": "uniform"}}},
    "experiments": {"identification": {"motion": {"draw": "trial"}}}, "noise_seed": null})";
  Json json = ParseJson(drawn, "more");
  const TwoExperiments plain(json.dump().c_str());
  json["noise_seed"] = 1;  // the seed itself
  const TwoExperiments same(json.dump().c_str());
  json["noise_seed"] = 2;
  const TwoExperiments fresh(json.dump().c_str());
  const TrialData before = plain.context.Run(1);
  const TrialData after = fresh.context.Run(1);
  CHECK(after.rollout == before.rollout);
  CHECK(after.truth->pi == before.truth->pi);
  const auto torque = [](const TrialData& data) {
    return data.datasets[1].Get(kJointTorque).samples;
  };
  CHECK(torque(same.context.Run(1)) == torque(before));
  CHECK(((torque(after) - torque(before)).array() != 0).all());
}

TEST_CASE("The first trial of a run may be a later one of the same scenario") {
  const char* const drawn =
      R"({"robot": {"truth": {"draw": "trial", "mass_error": {"type": "uniform"}}},
    "problem": {"prior": {"draw": "trial", "mass_error": {"type": "uniform"}}},
    "experiments": {"identification": {"motion": {"draw": "trial"}}}, "first_trial": null})";
  Json json = ParseJson(drawn, "more");
  const TwoExperiments whole(json.dump().c_str());
  json["first_trial"] = 7;
  const TwoExperiments rest(json.dump().c_str());
  for (const std::int64_t trial : {0, 6}) {  // one whose motion is kept, one whose is not
    CAPTURE(trial);
    const TrialData further = rest.context.Run(trial), same = whole.context.Run(7 + trial);
    CHECK(further.trial == trial);
    CHECK(further.rollout == same.rollout);
    CHECK(further.truth->pi == same.truth->pi);
    CHECK(further.prior_pi() == same.prior_pi());
    CHECK(further.datasets[0].Get(kJointTorque).samples ==
          same.datasets[0].Get(kJointTorque).samples);
    CHECK(further.rollout != whole.context.Run(trial).rollout);
  }
}

TEST_CASE("Clean signals stand in the order of the datasets, and are those before any noise") {
  const TwoExperiments cell;
  const TrialData one = cell.context.Run(0), two = cell.context.Run(1);
  REQUIRE(one.clean.size() == 2);
  for (const std::size_t k : {0, 1}) {
    const Channel& torque = one.datasets[k].Get(kJointTorque);
    const Eigen::MatrixXd noise = torque.samples - (*one.clean[k])[kJointTorque];
    CHECK(one.clean[k] == two.clean[k]);  // shared
    // 100 samples or more: their largest of N(0, σ²) is within 6 σ, their RMS within 40 %.
    for (const Eigen::Index joint : {0, 1}) {
      const double sigma = torque.sigma[joint];
      CHECK(noise.col(joint).cwiseAbs().maxCoeff() < 6.0 * sigma);
      const double rms = noise.col(joint).norm() / std::sqrt(static_cast<double>(noise.rows()));
      CHECK(rms == doctest::Approx(sigma).epsilon(0.4));
    }
  }
}

/// An environment of the validation in which touches are drawn.
std::string Touched(const std::string& draw, double duration_s = 1.0) {
  return fmt::format(R"({{"experiments": {{"validation": {{"motion": {{"duration_s": {}}},
      "environment": {{"touches": [
        {{"type": "drawn_touches", "link": "link2", "axis_from_m": [0, 0, 0],
         "axis_to_m": [0.2, 0, 0], "radius_m": 0.05, "force_n": [1, 20], "ramp_s": [0.01, 0.05],
         "hold_s": [0.05, 0.2], "gap_s": [0.05, 0.2], "draw": "{}"}}]}}}}}}}})",
                     duration_s, draw);
}

TEST_CASE("Metrics get what touched the robot, its wrench and its times; data do not hold it") {
  const TwoExperiments plain;
  CHECK(plain.context.Run(0).environments == std::vector<const Environment*>(2, nullptr));
  for (const bool own : {false, true}) {
    CAPTURE(own);
    const TwoExperiments cell(Touched(own ? "trial" : "cell").c_str());
    const TrialData one = cell.context.Run(0), two = cell.context.Run(1);
    REQUIRE(one.environments.size() == 2);
    REQUIRE(one.environments[0] != nullptr);
    CHECK(one.environments[1] == nullptr);
    CHECK((*one.clean[1])[kExternalWrench].size() == 0);
    const std::vector<Touch>& touches = one.environments[0]->touches;
    REQUIRE(touches.size() >= 2);
    const Signals& clean = *one.clean[0];
    const Eigen::MatrixXd& wrench = clean[kExternalWrench];
    REQUIRE(wrench.rows() == clean.time_s.size());
    for (Eigen::Index k = 0; k < wrench.rows(); ++k) {
      double force = 0.0;
      for (const Touch& touch : touches) {
        force += touch.PartAt(clean.time_s[k]) * touch.force.norm();
      }
      CHECK(wrench.row(k).head<3>().norm() == doctest::Approx(force).epsilon(1e-12));
    }
    CHECK(wrench.cwiseAbs().maxCoeff() > 0.5);
    // Joint torques of an exact replay are those that the touch leaves.
    CHECK((clean[kJointTorque] - (*plain.context.Run(0).clean[0])[kJointTorque])
              .cwiseAbs()
              .maxCoeff() > 0.05);
    for (const Dataset& dataset : one.datasets) {
      CHECK(dataset.Find(kExternalWrench) == nullptr);
    }
    CHECK((one.clean[0] != two.clean[0]) == own);
    CHECK((one.environments[0] != two.environments[0]) == own);
    CHECK((two.environments[0]->touches[0].begin_s != touches[0].begin_s) == own);
    CHECK(one.rollout == plain.context.Run(0).rollout);  // of what is identified from
  }
}

TEST_CASE(
    "What is drawn of touches does not change with the experiment's duration or other draws") {
  const TwoExperiments brief(Touched("trial").c_str());
  Json more = ParseJson(Touched("trial", 4.0), "more");
  more["noise_seed"] = 9;
  more["robot"] = {{"truth", {{"draw", "trial"}, {"mass_error", {{"type", "uniform"}}}}}};
  const TwoExperiments longer(more.dump().c_str());
  const TrialData one = brief.context.Run(1), other = longer.context.Run(1);
  const std::vector<Touch>& first = one.environments[0]->touches;
  const std::vector<Touch>& all = other.environments[0]->touches;
  REQUIRE(all.size() > first.size());
  for (std::size_t k = 0; k < first.size(); ++k) {
    CHECK(first[k].begin_s == all[k].begin_s);
    CHECK(first[k].force == all[k].force);
    CHECK(first[k].p_LT_L == all[k].p_LT_L);
  }
}

}  // namespace
}  // namespace idbench
