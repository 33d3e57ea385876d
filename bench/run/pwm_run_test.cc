#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "bench/small_run_test.h"
#include "scenarios/options/json.h"

/// Runs of robots of which the duty cycles of the motors' drives are measured.
namespace idbench {
namespace {

constexpr double kCoupling = 1.625;  ///< r of the iCub's shoulder, 65/40.

/// The iCub's arm, exactly moved and measured: duty cycles alone. Motors with G 100, k_t, R, V,
/// k_e, one of them without back-EMF.
Json ShoulderScenario() {
  return ParseJson(R"({
    "name": "r",
    "robot": {"model": "icub_right_arm", "truth": {"mass_scale": 1.1, "motor": {
      "gear_ratio": 100, "torque_constant_nm_a": [0.05, 0.04, 0.04, 0.05, 0.03, 0.02],
      "resistance_ohm": [1, 2, 2, 1.5, 3, 4], "supply_voltage_v": [36, 36, 24, 24, 12, 12],
      "back_emf_constant_vs_rad": [0.01, 0.02, 0.03, 0, 0.005, 0.01]}}},
    "control": {"type": "exact_replay"},
    "experiments": {"identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.1,
      "duration_s": 20, "candidates": 3}}},
    "sensors": {"joint_torque": {"origin": "oracle"}, "motor_pwm": {"origin": "measured"}},
    "problem": {"parametrisation": {"type": "base"}, "equations": ["motor_pwm"],
      "terms": [{"type": "gain", "motors": "motor{0..2}, motor{4..5}"},
                {"type": "viscous_friction", "on": "motors"}],
      "prior": {"terms": {"motor3.gain": 0.8}}},
    "metrics": ["base_parameter_relative_error", "joint_torque_clean_rmse_nm"],
    "estimators": {"ols": {}}, "trials": 1})",
                   "test");
}

Json RecordOf(const Json& scenario, const std::filesystem::path& folder) {
  return ParseJson(Records(scenario, folder), "records");
}

/// The estimate of an unknown.
double Estimated(const Json& json, const Json& record, const std::string& name) {
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const auto& names = context.problem().parameters.names;
  const auto found = std::ranges::find(names, name);
  CAPTURE(name);
  REQUIRE(found != names.end());
  return record.at("x").at(static_cast<std::size_t>(found - names.begin()));
}

Dataset FirstDataset(const Json& json) {
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  return context.Run(0).datasets[0];
}

/// Checks gains G·k_t·V/(100·R) and friction G²·k_t·k_e/R of all motors, by hand.
void CheckShoulder(const Json& json, const Json& record) {
  REQUIRE(record.at("outcome") == "ok");
  const double gains[] = {1.8, 0.72, 0.48, 0.8, 0.12, 0.06};
  const double friction[] = {5.0, 4.0, 6.0, 0.0, 0.5, 0.5};
  for (int motor = 0; motor < 6; ++motor) {
    const std::string name = "motor" + std::to_string(motor);
    // MuJoCo's rounding times the condition.
    CHECK(std::abs(Estimated(json, record, name + ".fv") - friction[motor]) < 1e-7);
    if (motor == 3 && json["problem"].contains("prior")) continue;
    CHECK(Estimated(json, record, name + ".gain") == doctest::Approx(gains[motor]).epsilon(1e-7));
  }
  CHECK(record.at("metrics").at("base_parameter_relative_error").at("value") < 1e-7);
}

TEST_CASE("Duty cycles of coupled motors are those of their own torques and speeds") {
  const Dataset dataset = FirstDataset(ShoulderScenario());
  const Eigen::MatrixXd& tau = dataset.Get(kJointTorque).samples;
  const Eigen::MatrixXd& qd = dataset.Get(kJointVelocity).samples;
  const Eigen::MatrixXd& pwm = dataset.Get(kMotorPwm).samples;
  REQUIRE(pwm.cols() == 6);
  // T = [[1, 0, 0], [−r, r, 0], [−r, r, r]] of q̇_m = T·q̇, solved for τ = Tᵀ·u by hand.
  for (Eigen::Index k = 0; k < pwm.rows(); k += 37) {
    const double u[] = {tau(k, 0) + tau(k, 1), (tau(k, 1) - tau(k, 2)) / kCoupling,
                        tau(k, 2) / kCoupling};
    const double speed[] = {qd(k, 0), kCoupling * (qd(k, 1) - qd(k, 0)),
                            kCoupling * (qd(k, 2) + qd(k, 1) - qd(k, 0))};
    const double R[] = {1, 2, 2}, V[] = {36, 36, 24}, k_t[] = {0.05, 0.04, 0.04};
    const double k_e[] = {0.01, 0.02, 0.03};
    for (int m = 0; m < 3; ++m) {
      const double volts = R[m] * u[m] / 100.0 / k_t[m] + k_e[m] * 100.0 * speed[m];
      CHECK(pwm(k, m) == doctest::Approx(100.0 * volts / V[m]).epsilon(1e-11));
    }
    CHECK(pwm(k, 3) == doctest::Approx(tau(k, 3) / 0.8).epsilon(1e-11));  // no back-EMF
  }
}

TEST_CASE("One known gain makes those of coupled motors exact, and back-EMF is their friction") {
  const TemporaryFolder folder;
  const Json json = ShoulderScenario();
  const Json record = RecordOf(json, folder / "r");
  CheckShoulder(json, record);
  CHECK(record.at("metrics").at("joint_torque_clean_rmse_nm@identification").at("absent") ==
        "friction that is identified from duty cycles includes the back-EMF of the motors, the "
        "joints' torques do not");
  // What was recorded is kept, with the channel's unit.
  const std::string series = ReadText(folder / "r" / "series" / "cell0_identification_trial0.csv");
  CHECK(series.find("pwm1_pct,pwm2_pct,pwm3_pct") != std::string::npos);
}

TEST_CASE("A known payload that comes off makes the gains of all coupled motors exact") {
  const TemporaryFolder folder;
  Json json = ShoulderScenario();
  json["attached"] = ParseJson(
      R"({"weight": {"link": "r_wrist_1", "p_LB_L_m": [-0.06, 0, 0.02], "known": true,
          "prior": {"mass_kg": 0.5}}})",
      "test");
  json["configurations"] = ParseJson(R"({"loaded": {"attached": ["weight"]}})", "test");
  Json motion = json["experiments"]["identification"]["motion"];
  motion["stream"] = "other";
  json["experiments"]["loaded"] = {{"motion", motion}, {"configuration", "loaded"}};
  json["problem"].erase("prior");
  json["problem"]["terms"][0] = {{"type", "gain"}};
  CheckShoulder(json, RecordOf(json, folder / "r"));
}

TEST_CASE("Back-EMF is in both directions of friction that is not the same in both") {
  const TemporaryFolder folder;
  Json json = ShoulderScenario();
  json["robot"]["truth"]["set"] = "urdf_icubgenova04_friction";
  json["problem"]["terms"][1] = {{"type", "asymmetric_friction"}, {"on", "motors"}};
  json["problem"]["terms"].push_back({{"type", "asymmetric_friction"}});
  const Json record = RecordOf(json, folder / "r");
  REQUIRE(record.at("outcome") == "ok");
  CHECK(Estimated(json, record, "motor1.gain") == doctest::Approx(0.72).epsilon(1e-7));
  CHECK(record.at("metrics").at("base_parameter_relative_error").at("value") < 1e-7);
}

TEST_CASE("A gain in N·m per % is the torque constant where there is no back-EMF") {
  const TemporaryFolder folder;
  Json json = ShoulderScenario();
  json["robot"]["truth"]["motor"] = ParseJson(
      R"({"torque_constant_nm_a": [1.79, 0.69, 0.69, 0.71, 0.2, 0.2], "back_emf_constant_vs_rad": 0})",
      "test");
  json["problem"]["prior"]["terms"]["motor3.gain"] = 0.71;
  const Json record = RecordOf(json, folder / "r");
  CHECK(Estimated(json, record, "motor0.gain") == doctest::Approx(1.79).epsilon(1e-7));
  CHECK(std::abs(Estimated(json, record, "motor0.fv")) < 1e-7);
  // Nothing is hidden in friction then, and joint torques are predicted exactly.
  CHECK(record.at("metrics").at("joint_torque_clean_rmse_nm@identification").at("value") < 1e-7);
}

/// Two motors, one on each joint; friction of joints is that of motors.
Json PlanarScenario() {
  Json json = Description();
  json.erase("sweep");
  json["robot"] = ParseJson(R"({"model": "planar2", "truth": {"friction": {"viscous_nms_rad": 0.3},
    "motor": {"gear_ratio": [100, 50], "torque_constant_nm_a": [0.05, 0.04],
              "resistance_ohm": [2, 4], "supply_voltage_v": 48}}})",
                            "test");
  json["sensors"] = ParseJson(
      R"({"joint_torque": {"origin": "absent"}, "motor_pwm": {"origin": "measured"}})", "test");
  json["problem"] = ParseJson(R"({"parametrisation": {"type": "base",
    "friction": ["viscous", "coulomb"], "rotor_inertia": true}, "equations": ["motor_pwm"],
    "prior": {"terms": {"joint1.gain": 1.2, "joint2.gain": 0.24}}})",
                              "test");
  json["metrics"] = {"base_parameter_relative_error"};
  json["estimators"] = {{"ols", Json::object()}};
  json["trials"] = 1;
  return json;
}

std::vector<std::string> MarksOfCell(const Json& json) {
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  return PreparedCell(loaded, loaded.cells[0], rollouts).marks();
}

TEST_CASE("Of a motor on a joint, back-EMF adds to the joint's viscous friction") {
  const TemporaryFolder folder;
  const Json json = PlanarScenario();
  const Json record = RecordOf(json, folder / "r");
  REQUIRE(record.at("outcome") == "ok");
  // k_e is k_t: 100²·0.05²/2 and 50²·0.04²/4, N·m·s/rad.
  CHECK(Estimated(json, record, "joint1.fv") == doctest::Approx(0.3 + 12.5).epsilon(1e-9));
  CHECK(Estimated(json, record, "joint2.fv") == doctest::Approx(0.3 + 1.0).epsilon(1e-9));
  CHECK(record.at("metrics").at("base_parameter_relative_error").at("value") < 1e-9);
  const auto marks = MarksOfCell(json);
  CHECK(std::ranges::count(marks,
                           "friction, true and estimated, includes the back-EMF of the motors: "
                           "joint1.fv, joint2.fv") == 1);
}

TEST_CASE("What gains and friction of drives do not model is told by name") {
  Json json = PlanarScenario();
  json["problem"]["parametrisation"]["friction"] = {"coulomb"};
  const std::string left_out =
      "in the true motors, but in no friction of theirs that is estimated from duty cycles alone: "
      "back-EMF of joint1, joint2";
  CHECK(std::ranges::count(MarksOfCell(json), left_out) == 1);
  // Joint torques have friction without it: one number cannot be both.
  json = PlanarScenario();
  json["sensors"]["joint_torque"]["origin"] = "measured";
  json["problem"]["equations"] = {"joint_torque", "motor_pwm"};
  CHECK(std::ranges::count(MarksOfCell(json), left_out) == 1);
  json = PlanarScenario();
  json["robot"]["truth"]["motor"]["supply_voltage_v"] = 1;
  json["problem"]["prior"]["terms"] = {{"joint1.gain", 0.025}, {"joint2.gain", 0.005}};
  const double greatest = FirstDataset(json).Get(kMotorPwm).samples.cwiseAbs().maxCoeff();
  REQUIRE(greatest > 100.0);
  CHECK(std::ranges::count(MarksOfCell(json),
                           fmt::format("duty cycles of up to {:.4g} %, which no drive has: the "
                                       "supply's voltage is too low",
                                       greatest)) == 1);
  json = PlanarScenario();
  json["robot"]["truth"]["motor"]["gear_efficiency"] = {1, 0.8};
  json["robot"]["truth"]["motor"]["ripple_fraction"] = 0.01;
  CHECK(
      std::ranges::count(MarksOfCell(json),
                         "in the true motors, but not in their gains: losses of the gears, ripple "
                         "of the torque constants; equations of motor_pwm hold with errors") == 1);
  // Equations of the joints' torques do not pass through motors.
  json["problem"]["equations"] = {"joint_torque"};
  json["problem"].erase("prior");
  json["sensors"]["joint_torque"]["origin"] = "measured";
  for (const std::string& mark : MarksOfCell(json)) {
    CHECK(mark.find("but not in their gains") == std::string::npos);
  }
}

TEST_CASE(
    "Gains that drift are told, leave true values alone, and are refused where none is left") {
  Json json = PlanarScenario();
  const auto truth_of = [](const Json& scenario) {
    const LoadedScenario loaded = Load(scenario);
    RolloutStore rollouts;
    return Eigen::VectorXd(*PreparedCell(loaded, loaded.cells[0], rollouts).Run(0).true_pi());
  };
  const Eigen::VectorXd truth = truth_of(json);
  const Eigen::MatrixXd still = FirstDataset(json).Get(kMotorPwm).samples;
  json["robot"]["truth"]["motor"]["gain_drift_per_min"] = {0, -6};
  CHECK(truth_of(json) == truth);
  const Channel drifting = FirstDataset(json).Get(kMotorPwm);
  for (const Eigen::Index i : {0, 150}) {
    const double left = 1.0 - 0.1 * drifting.time_s[i];
    CHECK(drifting.samples(i, 0) == still(i, 0));
    CHECK(drifting.samples(i, 1) == doctest::Approx(still(i, 1) / left).epsilon(1e-14));
  }
  const std::string told =
      "in the true motors, but not in their gains: drive gains that drift; "
      "equations of motor_pwm hold with errors";
  CHECK(std::ranges::count(MarksOfCell(json), told) == 1);
  json["robot"]["truth"]["motor"]["gain_drift_per_min"] = -40;
  const std::string used_up =
      "the gain of motor 'joint1' drifts to 0 at t = 1.5 s, and data end at 1.99 s: its "
      "gain_drift_per_min is -40, and more than -30.2 is needed; or take a shorter motion";
  CHECK_THROWS_WITH_AS(MarksOfCell(json), ("test: /experiments/identification: " + used_up).c_str(),
                       ConfigError);
  // No trial would have data.
  json["experiments"]["identification"]["motion"]["draw"] = "trial";
  CHECK_THROWS_WITH_AS(MarksOfCell(json),
                       ("test: /robot/truth/motor/gain_drift_per_min: " + used_up).c_str(),
                       ConfigError);
}

TEST_CASE("A controller with the true model does not take back-EMF for friction") {
  Json json = PlanarScenario();
  const auto torque_with = [&json](double back_emf) {
    Json other = json;
    other["control"] = ParseJson(R"({"type": "computed_torque", "model": "truth"})", "test");
    other["sensors"]["joint_torque"]["origin"] = "oracle";
    other["robot"]["truth"]["motor"]["back_emf_constant_vs_rad"] = back_emf;
    return Eigen::MatrixXd(FirstDataset(other).Get(kJointTorque).samples);
  };
  CHECK(torque_with(0.0) == torque_with(0.05));
}

TEST_CASE("Joints without a motor have no current: motors have their own, in their order") {
  const Json json = ParseJson(R"({
    "name": "r", "robot": {"model": "biped3", "truth": {"motor": {"gear_ratio": [10, 20],
      "torque_constant_nm_a": 0.5, "back_emf_constant_vs_rad": 0.1}}},
    "plant": {"type": "mujoco", "timestep_s": 0.001, "integrator": "RK4"},
    "experiments": {"identification": {"control": {"type": "torque_replay", "duration_s": 0.5,
      "q_rad": [-0.3927, 3.927, 0.9163], "qd_rad_s": [1, -1.4, 1.2], "actuators": {
        "hip_stance": {"chebyshev_period_s": 0.5, "chebyshev_nm": [-30, 20]},
        "hip_swing": {"chebyshev_period_s": 0.5, "chebyshev_nm": [5, 9]}}}}},
    "sensors": {"rate_hz": 100, "joint_torque": {"origin": "oracle"},
      "motor_torque": {"origin": "oracle"}, "motor_pwm": {"origin": "oracle"},
      "motor_current": {"origin": "measured", "motors": {"hip_swing": {"bias_a": 3}}}},
    "problem": {}, "estimators": {"ols": {}}, "trials": 1})",
                              "test");
  const Dataset dataset = FirstDataset(json);
  const Eigen::MatrixXd& tau = dataset.Get(kJointTorque).samples;
  const Eigen::MatrixXd& qd = dataset.Get(kJointVelocity).samples;
  const Eigen::MatrixXd& torque = dataset.Get(kMotorTorque).samples;
  const Eigen::MatrixXd& current = dataset.Get(kMotorCurrent).samples;
  REQUIRE(torque.cols() == 2);
  for (Eigen::Index k = 0; k < tau.rows(); k += 7) {
    // hip_stance drives q3; hip_swing −q2 and q3.
    const double swing = -tau(k, 1), stance = tau(k, 2) - swing;
    CHECK(torque(k, 0) == doctest::Approx(stance / 10.0).epsilon(1e-11));
    CHECK(torque(k, 1) == doctest::Approx(swing / 20.0).epsilon(1e-11));
    CHECK(current(k, 1) == doctest::Approx(swing / 20.0 / 0.5 + 3.0).epsilon(1e-11));
    const double speed = qd(k, 2) - qd(k, 1);
    CHECK(dataset.Get(kMotorPwm).samples(k, 1) ==
          doctest::Approx(swing / 20.0 / 0.5 + 0.1 * 20.0 * speed).epsilon(1e-11));
  }
}

}  // namespace
}  // namespace idbench
