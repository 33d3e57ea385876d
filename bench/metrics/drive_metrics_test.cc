#include "bench/metrics/drive_metrics.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "bench/biped_test.h"
#include "bench/metrics/planar_metrics_test.h"
#include "bench/metrics/scored_channel.h"
#include "bench/metrics/torque_metrics.h"

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

constexpr const char* kError = "pwm_rmse_over_sd@validation";

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

TEST_CASE("Tables of gain ratios say that errors to both sides cancel") {
  const LoadedScenario loaded = ArmScenario();
  const auto doubt = [&loaded](const char* name) {
    return std::ranges::find(loaded.metrics, name, &RunMetric::name)->doubt;
  };
  CHECK(
      doubt("drive_gain_ratio") ==
      "errors to both sides of 1 cancel in means over trials: look at the standard deviation, too");
  CHECK(doubt(kError).empty());
}

TEST_CASE("A method that leaves all gains at 0 has neither ratios nor duty cycles") {
  OneCell cell(ArmScenario());
  Estimate estimate = TrueEstimate(cell.context);
  for (const char* motor : {"motor0", "motor1", "motor2"}) {
    estimate.pi[GainPlace(cell, motor)] = 0.0;
  }
  for (const char* metric : {"drive_gain_ratio", kError}) {
    const MetricValue value = cell.Metric(estimate, metric);
    CHECK(value.absent);
    CHECK(value.failure == "no gain is estimated: all are 0");
  }
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

TEST_CASE("Duty cycles of coupled motors are predicted from the torques of all their joints") {
  OneCell cell(ArmScenario());
  CHECK(LabelsOf(cell, kError) == std::vector<std::string>{"motor0", "motor1", "motor2", "motor3"});
  Estimate estimate = TrueEstimate(cell.context);
  // MuJoCo's inverse dynamics against ours, over gains: rounding.
  CHECK(*cell.Metric(estimate, kError).value < 1e-9);
  CHECK(*cell.Metric(estimate, "pwm_rmse_over_sd@identification").value < 1e-9);
  // v̂ = v/1.1 where the gain is 10 % too large.
  estimate.pi[GainPlace(cell, "motor1")] *= 1.1;
  estimate.pi[GainPlace(cell, "motor3")] *= 2.0;  // a known one counts as well
  const Eigen::MatrixXd& v = cell.data.datasets[1].Get(kMotorPwm).samples;
  const auto expected = [&v](Eigen::Index motor, double factor) {
    const Eigen::VectorXd of_motor = v.col(motor);
    const auto n = static_cast<double>(of_motor.size());
    const double variance = (of_motor.array() - of_motor.mean()).square().sum() / (n - 1.0);
    return (1.0 - 1.0 / factor) * std::sqrt(of_motor.squaredNorm() / n / variance);
  };
  const MetricValue error = cell.Metric(estimate, kError);
  CHECK(error.components[0] < 1e-9);
  CHECK(error.components[1] == doctest::Approx(expected(1, 1.1)).epsilon(1e-8));
  CHECK(error.components[2] < 1e-9);
  CHECK(error.components[3] == doctest::Approx(expected(3, 2.0)).epsilon(1e-8));
  CHECK(*error.value ==
        doctest::Approx(0.5 * std::hypot(expected(1, 1.1), expected(3, 2.0))).epsilon(1e-8));
}

TEST_CASE(
    "A friction of the elbow that is missing is missing in the duty cycle of its motor alone") {
  OneCell cell(ArmScenario());
  Estimate estimate = TrueEstimate(cell.context);
  const std::vector<std::string> names = ParameterNames(cell.context.problem().model);
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k].starts_with("r_elbow.f")) estimate.pi[static_cast<Eigen::Index>(k)] = 0.0;
  }
  const MetricValue error = cell.Metric(estimate, kError);
  CHECK(error.components[3] > 0.1);
  for (const std::size_t motor : {0U, 1U, 2U}) CHECK(error.components[motor] < 1e-9);
}

TEST_CASE("Each experiment's duty cycles are those of what the robot carries in it") {
  OneCell cell(ArmScenario(R"({
    "attached": {"weight": {"link": "r_wrist_1", "p_LB_L_m": [-0.06, 0, 0.02], "known": true,
      "prior": {"mass_kg": 0.5}}},
    "configurations": {"loaded": {"attached": ["weight"]}},
    "experiments": {"loaded": {"configuration": "loaded", "motion": {"type": "fourier",
      "base_frequency_hz": 0.2, "duration_s": 5, "stream": "loaded", "candidates": 1}}}})"));
  const Estimate estimate = TrueEstimate(cell.context);
  for (const char* experiment : {"identification", "loaded", "validation"}) {
    CAPTURE(experiment);
    CHECK(*cell.Metric(estimate, std::string("pwm_rmse_over_sd@") + experiment).value < 1e-9);
  }
}

TEST_CASE("What is scored behind the low-pass is right for the truth, with friction that steps") {
  const char* const sampled = R"({"sensors": {"rate_hz": 500}})";
  OneCell exact(ArmScenario(sampled));
  Json smoothed = ParseJson(sampled, "test");
  smoothed["scoring"] = {{"cutoff_hz", 20}};
  OneCell cell(ArmScenario(smoothed.dump().c_str()));
  const Estimate estimate = TrueEstimate(cell.context);
  REQUIRE(cell.data.scores != nullptr);
  CHECK(cell.data.scores->told.starts_with(
      "scores of duty cycles compare F y with F ŷ(F q, F q̇, F q̈), F a zero-phase Butterworth "
      "low-pass of order 5 at 20 Hz, as declared, the same for all estimates"));
  CHECK(cell.data.scores->told.ends_with("the same for all estimates"));
  const SmoothedScore& score = *cell.data.scores->datasets[1].Smoothed(ScoreCutoff::kDeclared);
  // F moves the steps of friction: a prediction that did not pass it would be off by that much.
  const Eigen::MatrixXd& smooth = score.dataset.Get(kMotorPwm).samples;
  const Eigen::MatrixXd& raw = cell.data.datasets[1].Get(kMotorPwm).samples;
  REQUIRE(smooth.rows() == raw.rows());
  const Eigen::Index edge = score.edge_samples();
  const Eigen::VectorXd moved = (smooth - raw).col(3).segment(edge, raw.rows() - 2 * edge);
  const double sd = std::sqrt((raw.col(3).array() - raw.col(3).mean()).square().mean());
  const double step = std::sqrt(moved.squaredNorm() / static_cast<double>(moved.size())) / sd;
  CHECK(step > 0.02);
  // Signs of F q̇ are those of q̇ up to a part of a sample.
  CHECK(cell.Metric(estimate, kError).components[3] < 0.05 * step);
  CHECK(*exact.Metric(estimate, kError).value < 1e-9);
  // Torques that are not measured are not smoothed either.
  const char* const none = "there is no channel 'joint_torque'";
  TorqueMetrics torques(cell.context.problem());
  torques.SetTrial(cell.data);
  torques.SetEstimate(estimate);
  CHECK(torques.Rmse("validation").failure == none);
  CHECK(ScoreChannel(cell.data, {}, "validation", kJointTorque, nullptr).failure == none);
}

TEST_CASE("Smoothed, noise of duty cycles and of the positions behind accelerations counts less") {
  const char* const noisy = R"({"sensors": {"rate_hz": 500,
      "joint_position": {"noise_std_rad": 1e-4}, "motor_pwm": {"noise_std_pct": 0.05}},
    "processing": {"differentiate": ["joint_velocity", "joint_acceleration"]}})";
  OneCell raw(ArmScenario(noisy));
  Json smoothed = ParseJson(noisy, "test");
  smoothed["scoring"] = {{"cutoff_hz", 10}};
  OneCell smooth(ArmScenario(smoothed.dump().c_str()));
  const Estimate estimate = TrueEstimate(raw.context);
  CHECK(*smooth.Metric(estimate, kError).value < 0.2 * *raw.Metric(estimate, kError).value);
}

TEST_CASE("Without smoothing scores compare duty cycles as measured or as processed") {
  const auto error = [](const char* scoring) {
    Json more = ParseJson(R"({"sensors": {"motor_pwm": {"noise_std_pct": 0.5}},
      "processing": {"lowpass": {"cutoff_hz": 10}}})",
                          "test");
    if (scoring != nullptr) more["scoring"] = ParseJson(scoring, "test");
    OneCell cell(ArmScenario(more.dump().c_str()));
    return cell.Metric(TrueEstimate(cell.context), kError).components[0];
  };
  const double processed = error(nullptr);
  CHECK(error(R"({"smoothing": "none", "torque": "processed"})") == processed);
  CHECK(error(R"({"smoothing": "none"})") > 1.5 * processed);
}

TEST_CASE("What cannot be predicted or compared has no error of duty cycles, and says why") {
  OneCell cell(ArmScenario(R"({"experiments": {"identification": {"events":
      [{"type": "attach", "at_s": 1, "mass_kg": 0.2}]}}})"));
  Estimate estimate = TrueEstimate(cell.context);
  const MetricValue changing = cell.Metric(estimate, "pwm_rmse_over_sd@identification");
  CHECK(changing.failure ==
        "what the robot carries in identification changes at 1 s: no one estimate predicts its "
        "duty cycles");
  CHECK(changing.absent);
  for (const double gain : {0.0, -0.25}) {
    Estimate wrong = estimate;
    wrong.pi[GainPlace(cell, "motor1")] = gain;
    const MetricValue none = cell.Metric(wrong, kError);
    CHECK(none.failure == (gain == 0.0
                               ? "the gain of motor1 is 0, and no duty cycle follows from it"
                               : "the gain of motor1 is -0.25, and no duty cycle follows from it"));
    CHECK_FALSE(none.absent);
  }
  const Dataset before = cell.data.datasets[1];
  Dataset constant = before.WithoutChannels();
  for (Channel channel : before.channels()) {
    if (channel.name == kMotorPwm) channel.samples.col(2).setConstant(3.0);
    constant.Add(std::move(channel));
  }
  cell.data.datasets[1] = constant;
  CHECK(cell.Metric(estimate, kError).failure == "not finite: a motor's duty cycle does not vary");
  cell.data.datasets[1] = Dataset("validation", Role::kValidation);
  CHECK(cell.Metric(estimate, kError).failure.find("joint_position") != std::string::npos);
}

TEST_CASE("Metrics of drives are absent where their needs are not met, with the reason") {
  const auto absent = [](const char* more, const std::string& name) {
    Json patch = ParseJson(more, "more");
    patch["metrics"] = {name};
    const LoadedScenario loaded = ArmScenario(patch.dump().c_str());
    REQUIRE(loaded.absent_metrics.size() == 1);
    return loaded.absent_metrics[0].second;
  };
  const char* const known = R"({"problem": {"terms": [],
      "prior": {"terms": {"motor0.gain": 1.79, "motor1.gain": 0.69, "motor2.gain": 0.69}}}})";
  CHECK(absent(known, "drive_gain_ratio") == "no gain of a drive is unknown");
  const char* const torques =
      R"({"problem": {"equations": ["joint_torque"], "terms": [], "prior": null},
      "sensors": {"joint_torque": {"origin": "measured"}}})";
  CHECK(absent(torques, "pwm_rmse_over_sd") == "no equation of duty cycles");
  CHECK(absent(R"({"problem": {"equations": [{"type": "motor_pwm", "joints": "r_shoulder_pitch"}],
      "terms": [], "prior": {"terms": {"motor0.gain": 1.79, "motor1.gain": 0.69, "motor2.gain": 0.69}}}})",
               "pwm_rmse_over_sd") ==
        "no motor's torque follows from those of the joints that have rows of duty cycles");
  for (const auto& [name, why] : ArmScenario(torques).absent_metrics) {
    CHECK(name != "drive_gain_ratio");
    CHECK(!name.starts_with("pwm_"));
  }
  // Known gains predict duty cycles.
  OneCell cell(ArmScenario(known));
  CHECK(*cell.Metric(TrueEstimate(cell.context), kError).value > 0.1);  // of a robot with friction
}

}  // namespace
}  // namespace idbench
