#include "sim/sensors/sensors.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

const SensedParts kSensedParts = {{"joint1", "joint2"}, {"motor1"}};

SensorOptions ReadSensors(const char* text, std::vector<Issue>& issues) {
  SensorOptions options;
  ReadFields(Visit(options), Json::parse(text), "/sensors", issues);
  return options;
}

SensorOptions ReadSensors(const char* text) {
  std::vector<Issue> issues;
  SensorOptions options = ReadSensors(text, issues);
  REQUIRE(issues.empty());
  return options;
}

/// All messages about a scenario's sensors, from reading and from CheckSensors().
std::string SensorMessages(const char* text) {
  std::vector<Issue> issues;
  const SensorOptions options = ReadSensors(text, issues);
  if (issues.empty()) issues = CheckSensors(options, "/sensors", kSensedParts);
  return ConfigError("s.json", issues).what();
}

/// Peaks 3 and 7 N·m in torque, 0.5 and 2 rad in position.
Signals Desired() {
  Signals signals;
  signals.time_s = Eigen::Vector2d(0.0, 0.01);
  signals[kJointPosition] = Eigen::Matrix2d{{0.5, -2.0}, {0.1, 1.0}};
  signals[kJointVelocity] = signals[kJointAcceleration] = Eigen::Matrix2d::Ones();
  signals[kJointTorque] = Eigen::Matrix2d{{1.0, 7.0}, {-3.0, 2.0}};
  return signals;
}

TEST_CASE("By default position and torque are measured, rates are exact, at 100 Hz") {
  const SensorOptions options = ReadSensors("{}");
  CHECK(options.rate_hz == 100.0);
  CHECK(options[kJointPosition].origin == SensorOrigin::kMeasured);
  CHECK(options[kJointVelocity].origin == SensorOrigin::kOracle);
  CHECK(options[kJointAcceleration].origin == SensorOrigin::kOracle);
  CHECK(options[kJointTorque].origin == SensorOrigin::kMeasured);
}

TEST_CASE("Sensors survive being written and read") {
  const SensorOptions options = ReadSensors(R"({
      "rate_hz": 200, "joint_torque": {"noise_peak_fraction": 0.01, "bias_nm": [0.1, 0.2]},
      "joint_velocity": {"origin": "absent"}, "joint_acceleration": {"origin": "absent"},
      "joint_position": {"quantisation_rad": 1e-4, "joints": {"joint2": {"noise_std_rad": 1e-3}}}})");
  SensorOptions written = options;
  CHECK(ReadSensors(WriteFields(Visit(written)).dump().c_str()) == options);
}

TEST_CASE("Resolving gives every joint its number") {
  const SensorOptions resolved =
      Resolve(ReadSensors(R"({"joint_position": {"noise_std_rad": [1e-3, 2e-3], "bias_rad": 0.5,
               "joints": {"joint2": {"noise_std_rad": 5e-3, "quantisation_rad": 1e-4}}}})"),
              kSensedParts, {});
  CHECK(resolved[kJointPosition].noise_std.values == std::vector<double>{1e-3, 5e-3});
  CHECK(resolved[kJointPosition].bias.values == std::vector<double>{0.5, 0.5});
  CHECK(resolved[kJointPosition].quantisation.values == std::vector<double>{0.0, 1e-4});
  CHECK(resolved[kJointPosition].parts.values.empty());
}

TEST_CASE("A peak fraction becomes a standard deviation in SI units") {
  const SensorOptions resolved =
      Resolve(ReadSensors(R"({"joint_torque": {"noise_peak_fraction": 0.01},
                       "joint_position": {"noise_peak_fraction": [0, 0.5]}})"),
              kSensedParts, Desired());
  CHECK(resolved[kJointTorque].noise_std.values == std::vector<double>{0.01 * 3.0, 0.01 * 7.0});
  CHECK(resolved[kJointPosition].noise_std.values == std::vector<double>{0.0, 1.0});
  CHECK_FALSE(HasPeakFraction(resolved));
}

TEST_CASE("A joint's own noise replaces both kinds of its channel's") {
  const SensorOptions options = ReadSensors(R"({"joint_torque": {"noise_peak_fraction": 0.01,
                                "joints": {"joint2": {"noise_std_nm": 0.4}}}})");
  CHECK(CheckSensors(options, "/sensors", kSensedParts).empty());
  CHECK(Resolve(options, kSensedParts, Desired())[kJointTorque].noise_std.values ==
        std::vector<double>{0.03, 0.4});
  const SensorOptions other = ReadSensors(R"({"joint_torque": {"noise_std_nm": 0.4,
      "joints": {"joint1": {"noise_peak_fraction": 0.1}}}})");
  CHECK(Resolve(other, kSensedParts, Desired())[kJointTorque].noise_std.values ==
        std::vector<double>{0.1 * 3.0, 0.4});
}

TEST_CASE("The declared sigma is the true one unless said otherwise") {
  CHECK(Resolve(ReadSensors(R"({"joint_torque": {"noise_std_nm": 0.4}})"), kSensedParts,
                {})[kJointTorque]
            .declared_sigma == PerJoint{{0.4, 0.4}});
  CHECK(Resolve(ReadSensors(R"({"joint_torque": {"noise_std_nm": 0.4, "declared_sigma_nm": 1,
                         "joints": {"joint2": {"declared_sigma_nm": 2}}}})"),
                kSensedParts, {})[kJointTorque]
            .declared_sigma == PerJoint{{1.0, 2.0}});
}

TEST_CASE("The true σ of rounded readings includes step²/12, unless it is not to count") {
  const auto resolved = [](const char* text) {
    return Resolve(ReadSensors(text), kSensedParts, {});
  };
  const SensorOptions both = resolved(
      R"({"joint_torque": {"noise_std_nm": [0.4, 0], "quantisation_nm": [0, 1.2],
                           "joints": {"joint1": {"quantisation_nm": 0.6}}}})");
  const PerJoint& declared = *both[kJointTorque].declared_sigma;
  CHECK(declared.values[0] == doctest::Approx(std::sqrt(0.16 + 0.03)).epsilon(1e-15));
  CHECK(declared.values[1] == doctest::Approx(1.2 / std::sqrt(12.0)).epsilon(1e-15));
  CHECK(both.TrueSigma(both[kJointTorque]) == declared);
  CHECK(both.CountsQuantisation(both[kJointTorque]));
  CHECK(both[kJointTorque].noise_std == PerJoint{{0.4, 0.0}});
  // What is declared is declared, and is compared with the true one.
  const SensorOptions said =
      resolved(R"({"joint_torque": {"quantisation_nm": 1.2, "declared_sigma_nm": 0.1}})");
  CHECK(said[kJointTorque].declared_sigma == PerJoint{{0.1, 0.1}});
  CHECK(said.TrueSigma(said[kJointTorque]).values[0] == doctest::Approx(1.2 / std::sqrt(12.0)));
  const SensorOptions before = resolved(
      R"({"quantisation_in_sigma": false, "joint_torque": {"noise_std_nm": 0.4, "quantisation_nm": 1}})");
  CHECK(before[kJointTorque].declared_sigma == PerJoint{{0.4, 0.4}});
  CHECK_FALSE(before.CountsQuantisation(before[kJointTorque]));
}

TEST_CASE("Sensors declare a σ where they have noise, round, or say so") {
  const auto declares = [](const char* text) {
    return ReadSensors(text).DeclaresSigma(kJointTorque);
  };
  CHECK_FALSE(declares("{}"));
  CHECK(declares(R"({"joint_torque": {"noise_std_nm": 0.1}})"));
  CHECK(declares(R"({"joint_torque": {"quantisation_nm": 0.1}})"));
  CHECK(declares(R"({"joint_torque": {"joints": {"joint1": {"quantisation_nm": 0.1}}}})"));
  CHECK(declares(R"({"joint_torque": {"declared_sigma_nm": 0.1}})"));
  CHECK_FALSE(
      declares(R"({"quantisation_in_sigma": false, "joint_torque": {"quantisation_nm": 0.1}})"));
}

TEST_CASE("Resolved sensors resolve to themselves") {
  const SensorOptions once =
      Resolve(ReadSensors(R"({"joint_torque": {"noise_peak_fraction": 0.01, "bias_nm": 0.2}})"),
              kSensedParts, Desired());
  CHECK(Resolve(once, kSensedParts, {}) == once);
}

TEST_CASE("Delay and drop-outs stay what they are") {
  const SensorOptions options = ReadSensors(R"({"joint_torque": {
      "delay_s": 0.003, "dropout_fraction": 0.1, "dropout": "missing"}})");
  const SensorOptions resolved = Resolve(options, kSensedParts, {});
  CHECK(resolved[kJointTorque].delay_s == 0.003);
  CHECK(resolved[kJointTorque].dropout_fraction == 0.1);
  CHECK(resolved[kJointTorque].dropout == Dropout::Kind::kMissing);
  CHECK(SensorMessages(R"({"joint_torque": {"dropout_fraction": 1.5, "dropout": "lost"}})") ==
        "s.json: /sensors/joint_torque/dropout_fraction: got 1.5\n"
        "  accepted here: a number, at least 0 and at most 1\n"
        "s.json: /sensors/joint_torque/dropout: got \"lost\"\n"
        "  accepted here: hold, missing");
}

TEST_CASE("Resolving keeps all that is no number of a part") {
  const SensorOptions options = ReadSensors(
      R"({"joint_torque": {"bias_shift_std_nm": 0.1, "bias_shift_draw": "trial", "drift_std_nm": 0.2,
                           "drift_time_s": 3}})");
  const SensorOptions sensors = Resolve(options, kSensedParts, Desired());
  const ChannelSensorOptions& resolved = sensors[kJointTorque];
  CHECK(resolved.bias_shift_draw == ShiftDraw::kTrial);
  CHECK(resolved.drift_time_s == 3.0);
  CHECK(resolved.bias_shift_std.values == std::vector<double>{0.1, 0.1});
}

TEST_CASE("A draw of a zero without a σ, which draws nothing, is refused") {
  CHECK(SensorMessages(R"({"joint_torque": {"drift_std_nm": 0.2, "bias_shift_draw": "trial"}})") ==
        "s.json: /sensors/joint_torque/bias_shift_draw: is \"trial\", but nothing is drawn: "
        "bias_shift_std_nm is 0\n"
        "  give bias_shift_std_nm, or leave it out; a sweep sets both in the same cells");
  for (const char* fine : {R"({"joint_torque": {"bias_shift_draw": "experiment"}})",
                           R"({"joint_torque": {"bias_shift_draw": "trial",
                             "joints": {"joint2": {"bias_shift_std_nm": 0.1}}}})"}) {
    CHECK_NOTHROW(ReadSensors(fine));
  }
}

TEST_CASE("A peak fraction anywhere needs the desired motion") {
  const SensorOptions options =
      ReadSensors(R"({"joint_torque": {"joints": {"joint1": {"noise_peak_fraction": 0.01}}}})");
  CHECK(HasPeakFraction(options));
  CHECK_FALSE(HasPeakFraction(SensorOptions()));
  CHECK_THROWS_WITH_AS(Resolve(options, kSensedParts, {}),
                       "Resolve: noise_peak_fraction needs the signals on the desired motion",
                       std::invalid_argument);
}

TEST_CASE("Noise below zero is refused") {
  CHECK(SensorMessages(R"({"joint_torque": {"noise_std_nm": [0.1, -0.1]}})") ==
        "s.json: /sensors/joint_torque/noise_std_nm/1: got -0.1\n"
        "  accepted here: a number, at least 0 [N·m]");
  CHECK(SensorMessages(R"({"joint_torque": {"noise_peak_fraction": -1}})") ==
        "s.json: /sensors/joint_torque/noise_peak_fraction: got -1\n"
        "  accepted here: a number, or a list with one number per joint, at least 0");
}

TEST_CASE("A key without its unit is refused with the one that has it") {
  const std::string message = SensorMessages(R"({"joint_velocity": {"noise_std": 0.1}})");
  CHECK(message.starts_with("s.json: /sensors/joint_velocity/noise_std: unknown key"));
  CHECK(message.find("noise_std_rad_s") != std::string::npos);
}

TEST_CASE("An unknown joint is refused with the nearest name") {
  CHECK(SensorMessages(R"({"joint_position": {"joints": {"jiont2": {"bias_rad": 1}}}})") ==
        "s.json: /sensors/joint_position/joints/jiont2: unknown joint\n"
        "  accepted here: joint1, joint2\n"
        "  did you mean 'joint2'?");
}

TEST_CASE("A list of another length than the robot's is refused") {
  CHECK(SensorMessages(R"({"joint_torque": {"bias_nm": [1, 2, 3]}})") ==
        "s.json: /sensors/joint_torque/bias_nm: got a list of 3\n"
        "  accepted here: one number, or a list with one for each of joint1, joint2");
}

TEST_CASE("Both kinds of noise on one joint are refused") {
  CHECK(SensorMessages(
            R"({"joint_torque": {"noise_std_nm": [0, 0.1], "noise_peak_fraction": 0.01}})") ==
        "s.json: /sensors/joint_torque: joint 'joint2' has both noise_std_nm and "
        "noise_peak_fraction\n"
        "  give one of them, or 0");
}

TEST_CASE("Effects on a channel that is not measured are refused") {
  CHECK(SensorMessages(R"({"joint_velocity": {"noise_std_rad_s": 0.1}})") ==
        "s.json: /sensors/joint_velocity/origin: the channel is oracle, but has noise, bias, "
        "drift, calibration error, quantisation, declared sigma, delay, drop-outs or joints of its "
        "own\n"
        "  give it the origin \"measured\", or leave those out");
}

TEST_CASE("A base wrench is sensed when asked for, by component") {
  const SensorOptions options = ReadSensors(R"({"base_wrench": {"origin": "measured",
      "noise_std_n_nm": [1, 1, 2, 0.1, 0.2, 0.3], "components": {"Mz": {"bias_n_nm": 0.5}}}})");
  const SensorOptions resolved = Resolve(options, kSensedParts, {});
  CHECK(resolved[kBaseWrench].noise_std.values == std::vector<double>{1, 1, 2, 0.1, 0.2, 0.3});
  CHECK(resolved[kBaseWrench].bias.values == std::vector<double>{0, 0, 0, 0, 0, 0.5});
  CHECK(resolved[kBaseWrench].declared_sigma->values == resolved[kBaseWrench].noise_std.values);
}

TEST_CASE("The peak of a wrench's component is its own") {
  const SensorOptions options =
      ReadSensors(R"({"base_wrench": {"origin": "measured", "noise_peak_fraction": 0.1}})");
  CHECK_THROWS_WITH_AS(Resolve(options, kSensedParts, Desired()),
                       "Resolve: noise_peak_fraction needs the signals on the desired motion",
                       std::invalid_argument);
  Signals desired = Desired();
  desired[kBaseWrench] = Eigen::MatrixXd::Zero(2, 6);
  desired[kBaseWrench](1, 4) = -20.0;
  CHECK(Resolve(options, kSensedParts, desired)[kBaseWrench].noise_std.values ==
        std::vector<double>{0, 0, 0, 0, 2.0, 0});
}

TEST_CASE("An unknown component of the wrench is refused with those that there are") {
  CHECK(SensorMessages(R"({"base_wrench": {"origin": "measured", "noise_std_n_nm": [1, 2],
                     "components": {"Mzz": {"bias_n_nm": 1}}}})") ==
        "s.json: /sensors/base_wrench/components/Mzz: unknown component\n"
        "  accepted here: Fx, Fy, Fz, Mx, My, Mz\n"
        "  did you mean 'Mz'?\n"
        "s.json: /sensors/base_wrench/noise_std_n_nm: got a list of 2\n"
        "  accepted here: one number, or a list with one for each of Fx, Fy, Fz, Mx, My, Mz");
}

TEST_CASE("No sensor reads the truth") {
  CHECK(
      SensorMessages(R"({"external_wrench": {"origin": "oracle"}})")
          .starts_with("s.json: /sensors/external_wrench: is part of the truth, for metrics alone: "
                       "no sensor reads it, and no data have it\n  accepted here: rate_hz, "));
  const SensorOptions options;
  CHECK(options[kExternalWrench].origin == SensorOrigin::kAbsent);
  CHECK_FALSE(WriteFields(Visit(const_cast<SensorOptions&>(options))).contains("external_wrench"));
}

TEST_CASE("Force/torque sensors are declared by name, and measure unless they are exact") {
  SensedParts parts = kSensedParts;
  parts.cuts = {"elbow", "wrist"};
  const SensorOptions options = ReadSensors(R"({"wrench": {
      "wrist": {"noise_std_n_nm": [1, 1, 2, 0.1, 0.2, 0.3], "components": {"Mz": {"bias_n_nm": 0.5}}},
      "elbow": {"origin": "oracle"}}})");
  CHECK(CheckSensors(options, "/sensors", parts).empty());
  const SensorOptions resolved = Resolve(options, parts, {});
  const ChannelSensorOptions& wrist = resolved["wrench/wrist"];
  CHECK(wrist.channel == &ChannelNamed("wrench/wrist"));
  CHECK(wrist.origin == SensorOrigin::kMeasured);
  CHECK(wrist.noise_std.values == std::vector<double>{1, 1, 2, 0.1, 0.2, 0.3});
  CHECK(wrist.bias.values == std::vector<double>{0, 0, 0, 0, 0, 0.5});
  CHECK(resolved["wrench/elbow"].origin == SensorOrigin::kOracle);
  CHECK(resolved["wrench/knee"].origin == SensorOrigin::kAbsent);
  CHECK(Resolve(resolved, parts, {}) == resolved);
  const Json written = WriteFields(Visit(const_cast<SensorOptions&>(options)));
  CHECK(ReadSensors(written.dump().c_str()) == options);
  CHECK(SensorOptions().channels().size() == kDataChannels.size() - 1);
  CHECK(options.channels().size() == kDataChannels.size() + 1);

  CHECK(SensorMessages(R"({"wrench": {"wrist": {}}})") ==
        "s.json: /sensors/wrench/wrist: the robot has no force/torque sensor \"wrist\"\n"
        "  declare its place in /robot/force_torque_sensors");
  std::vector<Issue> issues = CheckSensors(ReadSensors(R"({"wrench": {"writs": {}}})"), "", parts);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].details ==
        std::vector<std::string>{"accepted here: elbow, wrist", "did you mean 'wrist'?"});
}

TEST_CASE("Calibration errors, shifts and drift of a sensor are declared, and count in no σ") {
  SensedParts parts = kSensedParts;
  parts.cuts = {"ft"};
  const SensorOptions options = ReadSensors(R"({"wrench": {"ft": {
      "noise_std_n_nm": 0.15, "bias_shift_std_n_nm": [0.15, 0.15, 0.15, 0.006, 0.006, 0.006],
      "drift_std_n_nm": 0.2, "drift_time_s": 3,
      "calibration_error": {"relative_std": 0.03, "draw": "cell"},
      "components": {"My": {"drift_std_n_nm": 0.008, "bias_shift_std_n_nm": 0.5}}}}})");
  CHECK(CheckSensors(options, "/sensors", parts).empty());
  const SensorOptions resolved = Resolve(options, parts, {});
  const ChannelSensorOptions& ft = resolved["wrench/ft"];
  CHECK(ft.bias_shift_std.values == std::vector<double>{0.15, 0.15, 0.15, 0.006, 0.5, 0.006});
  CHECK(ft.drift_std.values == std::vector<double>{0.2, 0.2, 0.2, 0.2, 0.008, 0.2});
  CHECK(ft.drift_time_s == 3.0);
  CHECK(ft.calibration_error == CalibrationErrorOptions{.relative_std = 0.03, .draw = Draw::kCell});
  CHECK(ft.declared_sigma == PerJoint{std::vector<double>(6, 0.15)});
  CHECK(resolved.TrueSigma(ft) == PerJoint{std::vector<double>(6, 0.15)});
  CHECK(Resolve(resolved, parts, {}) == resolved);
  CHECK(ReadSensors(WriteFields(Visit(const_cast<SensorOptions&>(options))).dump().c_str()) ==
        options);
  CHECK_FALSE(ReadSensors(R"({"joint_torque": {"drift_std_nm": 1, "bias_shift_std_nm": 1}})")
                  .DeclaresSigma(kJointTorque));
}

TEST_CASE("Slow and lasting errors that cannot be are refused") {
  CHECK(SensorMessages(R"({"joint_torque": {"drift_std_nm": -1, "bias_shift_std_nm": [1, -2],
                                            "drift_time_s": 0}})") ==
        "s.json: /sensors/joint_torque/bias_shift_std_nm/1: got -2\n"
        "  accepted here: a number, at least 0 [N·m]\n"
        "s.json: /sensors/joint_torque/drift_std_nm: got -1\n"
        "  accepted here: a number, or a list with one number per joint, at least 0 [N·m]\n"
        "s.json: /sensors/joint_torque/drift_time_s: got 0\n"
        "  accepted here: a number, greater than 0 [s]");
  CHECK(SensorMessages(R"({"joint_torque": {"drift_std_nm": [1, 2, 3],
                                            "bias_shift_std_nm": [1, 2, 3]}})") ==
        "s.json: /sensors/joint_torque/bias_shift_std_nm: got a list of 3\n"
        "  accepted here: one number, or a list with one for each of joint1, joint2\n"
        "s.json: /sensors/joint_torque/drift_std_nm: got a list of 3\n"
        "  accepted here: one number, or a list with one for each of joint1, joint2");
  CHECK(SensorMessages(R"({"joint_torque": {"calibration_error": {"relative_std": 0.03}}})")
            .starts_with("s.json: /sensors/joint_torque/calibration_error: is for forces and "
                         "moments alone\n  accepted here: origin, "));
  CHECK(SensorMessages(R"({"base_wrench": {"origin": "measured", "calibration_error": {
            "relative_std": -0.03, "off_diagonal_factor": -1, "force_unit_n": 0,
            "moment_unit_nm": 0, "draw": "run"}}})") ==
        "s.json: /sensors/base_wrench/calibration_error/relative_std: got -0.03\n"
        "  accepted here: a number, at least 0\n"
        "s.json: /sensors/base_wrench/calibration_error/off_diagonal_factor: got -1\n"
        "  accepted here: a number, at least 0\n"
        "s.json: /sensors/base_wrench/calibration_error/force_unit_n: got 0\n"
        "  accepted here: a number, greater than 0 [N]\n"
        "s.json: /sensors/base_wrench/calibration_error/moment_unit_nm: got 0\n"
        "  accepted here: a number, greater than 0 [N·m]\n"
        "s.json: /sensors/base_wrench/calibration_error/draw: got \"run\"\n"
        "  accepted here: cell, trial");
  for (const char* effect : {R"("drift_std_rad_s": 1)", R"("bias_shift_std_rad_s": 1)"}) {
    CHECK(SensorMessages((std::string(R"({"joint_velocity": {)") + effect + "}}").c_str())
              .starts_with("s.json: /sensors/joint_velocity/origin: the channel is oracle, but "));
  }
  CHECK(SensorMessages(R"({"base_wrench": {"calibration_error": {"relative_std": 0.03}}})")
            .starts_with("s.json: /sensors/base_wrench/origin: the channel is absent, but "));
}

TEST_CASE("Motors, IMU and distance meter are sensed when asked for, by motor and component") {
  const SensorOptions options = ReadSensors(R"({
      "actuator_torque": {"origin": "measured", "motors": {"motor1": {"noise_std_nm": 0.3}}},
      "accelerometer": {"origin": "measured", "components": {"z": {"bias_m_s2": 0.05}}},
      "gyroscope": {"origin": "measured", "noise_std_rad_s": [0.1, 0.2, 0.3]},
      "distance": {"origin": "measured", "quantisation_m": 0.001}})");
  const SensorOptions resolved = Resolve(options, kSensedParts, {});
  CHECK(resolved[kActuatorTorque].noise_std.values == std::vector<double>{0.3});
  CHECK(resolved[kAccelerometer].bias.values == std::vector<double>{0.0, 0.0, 0.05});
  CHECK(resolved[kGyroscope].declared_sigma->values == std::vector<double>{0.1, 0.2, 0.3});
  CHECK(resolved[kDistance].quantisation.values == std::vector<double>{0.001});
  CHECK(SensorMessages(R"({"actuator_torque": {"origin": "measured",
                                         "motors": {"motor2": {"bias_nm": 1}}}})") ==
        "s.json: /sensors/actuator_torque/motors/motor2: unknown motor\n"
        "  accepted here: motor1\n"
        "  did you mean 'motor1'?");
}

TEST_CASE("Options of single motors are also read as those of joints, as they were called") {
  const char* const as_now = R"({"motor_current": {"origin": "measured",
      "motors": {"motor1": {"noise_std_a": 0.3}}}})";
  const SensorOptions former = ReadSensors(R"({"motor_current": {"origin": "measured",
      "joints": {"motor1": {"noise_std_a": 0.3}}}})");
  CHECK(former == ReadSensors(as_now));
  CHECK(Resolve(former, kSensedParts, {})[kMotorCurrent].noise_std.values ==
        std::vector<double>{0.3});
  CHECK(WriteFields(Visit(const_cast<SensorOptions&>(former)))["motor_current"].contains("motors"));
}

TEST_CASE("Only sensors on a joint's axis have an error once a turn, each joint its own") {
  const SensorOptions options = ReadSensors(R"({"hall_position": {"origin": "measured",
      "sine_error_rad": 0.01, "joints": {"joint2": {"sine_error_rad": -0.02}}}})");
  CHECK(Resolve(options, kSensedParts, {})[kHallPosition].sine_error.values ==
        std::vector<double>{0.01, -0.02});
  CHECK(SensorMessages(R"({"joint_torque": {"sine_error_nm": 1}})")
            .starts_with("s.json: /sensors/joint_torque/sine_error_nm: unknown key"));
  CHECK(SensorMessages(R"({"hall_position": {"sine_error_rad": 0.01}})") ==
        "s.json: /sensors/hall_position/origin: the channel is absent, but has noise, bias, "
        "drift, calibration error, quantisation, declared sigma, delay, drop-outs or joints of its "
        "own\n"
        "  give it the origin \"measured\", or leave those out");
}

TEST_CASE("Resolving what contradicts the robot throws its messages") {
  CHECK_THROWS_WITH_AS(
      Resolve(ReadSensors(R"({"joint_torque": {"bias_nm": [1, 2, 3]}})"), kSensedParts, {}),
      "Resolve: sensors: /joint_torque/bias_nm: got a list of 3\n"
      "  accepted here: one number, or a list with one for each of joint1, joint2",
      std::invalid_argument);
}

}  // namespace
}  // namespace idbench
