#include "bench/metrics/drive_metrics.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "bench/biped_test.h"
#include "bench/metrics/planar_metrics_test.h"

namespace idbench {
namespace {

/// The iCub's arm with friction, exactly moved and measured: duty cycles of the four motors of
/// shoulder and elbow.
LoadedScenario ArmScenario(const char* more = "{}") {
  Json json = ParseJson(R"({
    "name": "d", "robot": {"model": "icub_right_arm", "truth": {"mass_scale": 1.1,
      "set": "urdf_icubgenova04_friction",
      "motor": {"torque_constant_nm_a": [1.79, 0.69, 0.69, 0.71, 0.2, 0.2], "back_emf_constant_vs_rad": 0}}},
    "control": {"type": "exact_replay"},
    "experiments": {
      "identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.2, "duration_s": 5, "candidates": 1}},
      "validation": {"role": "validation", "motion": {"type": "fourier", "base_frequency_hz": 0.2,
        "duration_s": 5, "stream": "validation", "candidates": 1}}},
    "sensors": {"joint_torque": {"origin": "absent"}, "motor_pwm": {"origin": "measured"}},
    "problem": {"parametrisation": {"type": "standard"},
      "equations": [{"type": "motor_pwm", "joints": "r_shoulder_pitch, r_shoulder_roll, r_shoulder_yaw, r_elbow"}],
      "terms": [{"type": "gain", "motors": "motor{0..2}"},
                {"type": "asymmetric_friction", "joints": "r_shoulder_pitch, r_shoulder_roll, r_shoulder_yaw, r_elbow"},
                {"type": "asymmetric_friction", "motors": "motor{0..2}"}],
      "prior": {"terms": {"motor3.gain": 0.71}}},
    "estimators": {"ols": {}}, "trials": 1})",
                        "test");
  json.merge_patch(ParseJson(more, "more"));
  return LoadScenario(json, "test", {}, AllMetrics());
}

Eigen::Index GainPlace(const OneCell& cell, const std::string& motor) {
  const std::vector<std::string> names = ParameterNames(cell.context.problem().model);
  const auto found = std::ranges::find(names, motor + ".gain");
  REQUIRE(found != names.end());
  return found - names.begin();
}

/// The components of a metric.
std::vector<std::string> LabelsOf(const OneCell& cell, const std::string& name) {
  const auto listed = std::ranges::find(cell.loaded.metrics, name, &RunMetric::name);
  REQUIRE(listed != cell.loaded.metrics.end());
  return listed->components;
}

TEST_CASE("A gain that is 10 % too large has the ratio 1.1, and the furthest from 1 is told") {
  OneCell cell(ArmScenario());
  CHECK(LabelsOf(cell, "drive_gain_ratio") ==
        std::vector<std::string>{"motor0", "motor1", "motor2"});  // that of motor3 is known
  Estimate estimate = TrueEstimate(cell.context);
  MetricValue ratio = cell.Metric(estimate, "drive_gain_ratio");
  CHECK(*ratio.value == doctest::Approx(1.0).epsilon(1e-14));
  estimate.pi[GainPlace(cell, "motor1")] *= 1.1;
  ratio = cell.Metric(estimate, "drive_gain_ratio");
  CHECK(*ratio.value == doctest::Approx(1.1).epsilon(1e-14));
  CHECK(ratio.components[0] == doctest::Approx(1.0).epsilon(1e-14));
  CHECK(ratio.components[1] == doctest::Approx(1.1).epsilon(1e-14));
  // |ln 0.8| > |ln 1.2| although both are 0.2 from 1.
  estimate.pi[GainPlace(cell, "motor0")] *= 1.2;
  estimate.pi[GainPlace(cell, "motor2")] *= 0.8;
  CHECK(*cell.Metric(estimate, "drive_gain_ratio").value == doctest::Approx(0.8).epsilon(1e-14));
  estimate.pi[GainPlace(cell, "motor0")] = -0.5 * 1.79;
  ratio = cell.Metric(estimate, "drive_gain_ratio");
  CHECK(*ratio.value == doctest::Approx(-0.5).epsilon(1e-14));
  CHECK(ratio.components[2] == doctest::Approx(0.8).epsilon(1e-14));
}

TEST_CASE("A gain of currents has a ratio too") {
  OneCell cell(ArmScenario(R"({"sensors": {"motor_pwm": {"origin": "absent"},
      "motor_current": {"origin": "measured"}}, "problem": {"equations": ["motor_current"],
      "terms": [{"type": "gain", "motors": "motor{0..2}"}],
      "prior": {"terms": {"motor3.gain": 0.71, "motor4.gain": 0.2, "motor5.gain": 0.2}}}})"));
  Estimate estimate = TrueEstimate(cell.context);
  estimate.pi[GainPlace(cell, "motor2")] *= 1.1;
  CHECK(*cell.Metric(estimate, "drive_gain_ratio").value == doctest::Approx(1.1).epsilon(1e-14));
}

}  // namespace
}  // namespace idbench
