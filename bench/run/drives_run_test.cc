#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "bench/small_run_test.h"
#include "scenarios/options/json.h"

/// Runs of a robot whose motors' currents are measured, and of a sensor with offsets.
namespace idbench {
namespace {

/// planar3 with geared motors, exactly moved; currents, exactly measured, in place of torques; bare
/// in one experiment, with 0.5 kg in its hand in another.
Json CurrentScenario() {
  Json json = Description();
  json.erase("sweep");
  json["robot"] = ParseJson(R"({"model": "planar3", "truth": {"mass_scale": 1.2, "motor": {
    "gear_ratio": [100, 80, 50], "torque_constant_nm_a": [0.05, 0.04, 0.03]}}})",
                            "test");
  json["attached"] = ParseJson(
      R"({"weight": {"link": "link3", "p_LB_L_m": [0, 0, -0.4], "known": true,
          "prior": {"mass_kg": 0.5}}})",
      "test");
  json["configurations"] = ParseJson(R"({"loaded": {"attached": ["weight"]}})", "test");
  Json motion = json["experiments"]["identification"]["motion"];
  motion["stream"] = "other";
  json["experiments"]["loaded"] = {{"motion", motion}, {"configuration", "loaded"}};
  json["sensors"] = ParseJson(
      R"({"joint_torque": {"origin": "absent"}, "motor_current": {"origin": "measured"}})", "test");
  json["problem"] = ParseJson(
      R"({"parametrisation": {"type": "base", "friction": ["viscous", "coulomb"],
      "rotor_inertia": true}, "equations": ["motor_current"], "terms": [{"type": "gain"}]})",
      "test");
  json["metrics"] = {"base_parameter_relative_error", "parameter_error_fraction"};
  json["estimators"] = {{"ols", Json::object()}};
  json["trials"] = 1;
  return json;
}

Json OnlyRecord(const Json& scenario, const std::filesystem::path& folder) {
  return ParseJson(Records(scenario, folder), "records");
}

std::string AllIssues(const Json& json) {
  std::string text;
  try {
    Load(json);
  } catch (const ConfigError& error) {
    for (const Issue& issue : error.issues()) {
      text += issue.where + ": " + issue.what + "\n";
      for (const std::string& detail : issue.details) text += "  " + detail + "\n";
    }
  }
  return text;
}

/// The estimate of an unknown.
double Unknown(const Json& json, const Json& record, const std::string& name) {
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const auto& names = context.problem().parameters.names;
  const auto found = std::ranges::find(names, name);
  REQUIRE(found != names.end());
  return record.at("x").at(static_cast<std::size_t>(found - names.begin()));
}

TEST_CASE("A known weight in a second run makes gains and all else known from currents alone") {
  const TemporaryFolder folder;
  const Json json = CurrentScenario();
  const Json record = OnlyRecord(json, folder / "r");
  REQUIRE(record.at("outcome") == "ok");
  // G·k_t of each motor. Exact but for MuJoCo's rounding and the condition.
  CHECK(Unknown(json, record, "joint1.gain") == doctest::Approx(5.0).epsilon(1e-7));
  CHECK(Unknown(json, record, "joint2.gain") == doctest::Approx(3.2).epsilon(1e-7));
  CHECK(Unknown(json, record, "joint3.gain") == doctest::Approx(1.5).epsilon(1e-7));
  CHECK(record.at("metrics").at("base_parameter_relative_error").at("value") < 1e-7);
}

TEST_CASE("One gain that is known says how large all others are, and known gains need no others") {
  const TemporaryFolder folder;
  Json json = CurrentScenario();
  json["experiments"].erase("loaded");
  json.erase("attached");
  json.erase("configurations");
  json["problem"]["terms"] = ParseJson(R"([{"type": "gain", "motors": "joint{1..2}"}])", "test");
  json["problem"]["prior"] = ParseJson(R"({"terms": {"joint3.gain": 1.5}})", "test");
  Json record = OnlyRecord(json, folder / "r");
  REQUIRE(record.at("outcome") == "ok");
  CHECK(Unknown(json, record, "joint1.gain") == doctest::Approx(5.0).epsilon(1e-7));
  CHECK(record.at("metrics").at("base_parameter_relative_error").at("value") < 1e-7);
  // A gain that is taken for twice as large makes all twice as large.
  json["problem"]["prior"]["terms"]["joint3.gain"] = 3.0;
  record = OnlyRecord(json, folder / "s");
  CHECK(Unknown(json, record, "joint1.gain") == doctest::Approx(10.0).epsilon(1e-7));
  json["problem"].erase("terms");
  json["problem"]["prior"]["terms"] =
      ParseJson(R"({"joint1.gain": 5, "joint2.gain": 3.2, "joint3.gain": 1.5})", "test");
  record = OnlyRecord(json, folder / "t");
  REQUIRE(record.at("outcome") == "ok");
  CHECK(record.at("metrics").at("base_parameter_relative_error").at("value") < 1e-9);
}

TEST_CASE("Online methods take currents through known gains, and end where MAP does") {
  const TemporaryFolder folder;
  Json json = CurrentScenario();
  json["sensors"]["motor_current"]["noise_std_a"] = 0.01;
  json["problem"].erase("terms");
  json["problem"]["prior"] = ParseJson(
      R"({"relative_std": 1, "terms": {"joint1.gain": 5, "joint2.gain": 3.2, "joint3.gain": 1.5}})",
      "test");
  json["metrics"] = {"base_parameter_relative_error"};
  for (const char* method : {"ekf", "rls"}) {
    json["estimators"] = {{"map", Json::object()}, {method, Json::object()}};
    if (method == std::string("ekf")) json["estimators"]["ekf"] = {{"process_noise", 0}};
    const std::string records = Records(json, folder / method);
    const Json map = ParseJson(records.substr(0, records.find('\n')), "records");
    const Json online = ParseJson(records.substr(records.find('\n') + 1), "records");
    REQUIRE(map.at("outcome") == "ok");
    REQUIRE(online.at("outcome") == "ok");
    CHECK(map.at("metrics").at("base_parameter_relative_error").at("value") < 0.05);
    for (std::size_t k = 0; k < map.at("x").size(); ++k) {
      const double sigma = map.at("sigma")[k];
      const double difference = map.at("x")[k].get<double>() - online.at("x")[k].get<double>();
      CHECK(std::abs(difference) <= 1e-4 * sigma);  // the same posterior, by other arithmetic
    }
  }
}

TEST_CASE("Residuals of drives tell the noise of each row as σ of currents does") {
  const TemporaryFolder folder;
  Json json = CurrentScenario();
  json["sensors"]["motor_current"]["noise_std_a"] = 0.01;
  json["problem"] = ParseJson(
      R"({"parametrisation": {"type": "standard", "friction": ["viscous", "coulomb"],
          "rotor_inertia": true}, "equations": ["motor_current"], "prior": {"relative_std": 1,
          "terms": {"joint1.gain": 5, "joint2.gain": 3.2, "joint3.gain": 1.5}}})",
      "test");
  json["metrics"] = {"base_parameter_relative_error"};
  json["estimators"] = {{"rows", {{"type", "consistent_wls"}}},
                        {"declared", {{"type", "consistent_wls"}, {"weighting", "declared"}}}};
  const std::string records = Records(json, folder / "r");
  const Json rows = ParseJson(records.substr(0, records.find('\n')), "records");
  const Json declared = ParseJson(records.substr(records.find('\n') + 1), "records");
  REQUIRE(rows.at("outcome") == "ok");
  REQUIRE(declared.at("outcome") == "ok");
  for (std::size_t k = 0; k < rows.at("sigma").size(); ++k) {
    const double declares = declared.at("sigma")[k];
    if (declares == 0.0) continue;  // held by the prior
    // 400 samples tell σ to 4 %, twice in an inertia's.
    CHECK(rows.at("sigma")[k].get<double>() / declares == doctest::Approx(1.0).epsilon(0.15));
  }
}

TEST_CASE("The torques of motors behind their gears have gains without a unit") {
  const TemporaryFolder folder;
  Json json = CurrentScenario();
  json["sensors"] = ParseJson(
      R"({"joint_torque": {"origin": "absent"}, "motor_torque": {"origin": "measured"}})", "test");
  json["problem"]["equations"] = {"motor_torque"};
  const Json record = OnlyRecord(json, folder / "r");
  REQUIRE(record.at("outcome") == "ok");
  CHECK(Unknown(json, record, "joint1.gain") == doctest::Approx(100.0).epsilon(1e-7));
}

TEST_CASE("What says nothing of how large all is, or of a gain, is refused") {
  Json json = CurrentScenario();
  json["experiments"].erase("loaded");
  json.erase("attached");
  json.erase("configurations");
  CHECK(
      AllIssues(json) ==
      "/problem/equations/0: nothing says how large these gains are: joint1.gain, joint2.gain, "
      "joint3.gain\n"
      "  the equation holds for any multiple of them, of masses and of friction\n"
      "  know one of them (/problem/prior/terms), or attach a body of known mass (/attached) that "
      "comes off, all else being the same, in some experiments for identification, or add an "
      "equation that is measured\n");
  // A weight that is always on, or only in the validation, says nothing either.
  Json always = CurrentScenario();
  always["experiments"]["identification"]["configuration"] = "loaded";
  CHECK(AllIssues(always).starts_with("/problem/equations/0: nothing says how large"));
  Json elsewhere = CurrentScenario();
  elsewhere["experiments"]["loaded"]["role"] = "validation";
  CHECK(AllIssues(elsewhere).starts_with("/problem/equations/0: nothing says how large"));
  // One that always comes with an unknown tool, or that weighs nothing.
  Json with_tool = CurrentScenario();
  with_tool["attached"]["tool"] =
      ParseJson(R"({"link": "link3", "truth": {"mass_kg": 0.2}})", "test");
  with_tool["configurations"]["loaded"]["attached"].push_back("tool");
  CHECK_MESSAGE(AllIssues(with_tool).starts_with("/problem/equations/0: nothing says how large"),
                AllIssues(with_tool));
  json["robot"]["truth"]["terms"]["joint1.gain"] = 77;
  CHECK(AllIssues(json).starts_with(
      "/robot/truth/terms/joint1.gain: is that of the simulated motor and cannot be set\n"));
  json["robot"]["truth"].erase("terms");
  json["problem"].erase("terms");
  CHECK(AllIssues(json) ==
        "/problem/equations/0: gains are neither known nor asked for: joint1.gain, joint2.gain, "
        "joint3.gain\n"
        "  give them in /problem/prior/terms, or estimate them: /problem/terms {\"type\": "
        "\"gain\"}\n");
  json = CurrentScenario();
  json["problem"]["equations"] = {"motor_current", "motor_torque"};
  CHECK(AllIssues(json).starts_with(
      "/problem/equations/1: is of drives, as /problem/equations/0 is\n"));
  json["problem"]["equations"] = {"joint_torque"};
  CHECK(AllIssues(json).starts_with(
      "/problem/terms/0: joint1.gain is in no equation\n"
      "  add an equation of the drives: motor_torque, motor_current, motor_pwm\n"));
}

/// planar3 with a sensor at its elbow that has offsets.
Json OffsetScenario() {
  Json json = CurrentScenario();
  json["robot"] = ParseJson(R"({"model": "planar3",
    "force_torque_sensors": {"ft": {"link": "link2", "link_side": "distal"}},
    "terms": [{"type": "offset", "sensors": "ft"}],
    "truth": {"terms": {"ft.offset_fx": 3, "ft.offset_fz": -5, "ft.offset_my": 0.25}}})",
                            "test");
  for (const char* key : {"attached", "configurations"}) json.erase(key);
  json["experiments"].erase("loaded");
  json["sensors"] =
      ParseJson(R"({"joint_torque": {"origin": "absent"}, "wrench": {"ft": {}}})", "test");
  json["problem"] = ParseJson(R"({"equations": [{"type": "wrench", "mount": "ft"}],
    "terms": [{"type": "offset", "on": "sensors"}]})",
                              "test");
  return json;
}

TEST_CASE("Offsets of a force/torque sensor are identified beside what lies beyond it") {
  const TemporaryFolder folder;
  const Json json = OffsetScenario();
  const Json record = OnlyRecord(json, folder / "r");
  REQUIRE(record.at("outcome") == "ok");
  CHECK(Unknown(json, record, "ft.offset_fx") == doctest::Approx(3.0).epsilon(1e-9));
  CHECK(Unknown(json, record, "ft.offset_fz") == doctest::Approx(-5.0).epsilon(1e-9));
  CHECK(Unknown(json, record, "ft.offset_my") == doctest::Approx(0.25).epsilon(1e-9));
  CHECK(record.at("metrics").at("base_parameter_relative_error").at("value") < 1e-9);
  Json biased = json;
  biased["problem"].erase("terms");
  const Json without = OnlyRecord(biased, folder / "s");
  CHECK(without.at("metrics").at("base_parameter_relative_error").at("value") > 1e-3);
  Json elsewhere = json;
  elsewhere["problem"]["equations"] = {"joint_torque"};
  elsewhere["sensors"] = ParseJson(R"({"joint_torque": {}})", "test");
  CHECK(
      AllIssues(elsewhere).starts_with("/problem/terms/0: ft.offset_fx is in no equation\n"
                                       "  add the equation \"wrench\" of that sensor\n"));
}

TEST_CASE("A method that needs σ of rows of drives is told which gains are not known") {
  Json json = CurrentScenario();
  json["sensors"]["motor_current"]["noise_std_a"] = 0.01;
  json["problem"]["prior"] = {{"relative_std", 1}};
  json["estimators"] = {{"map", Json::object()}};
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  std::string message;
  try {
    const PreparedCell cell(loaded, loaded.cells[0], rollouts);
  } catch (const ConfigError& error) {
    message = error.what();
  }
  CHECK(message.find("/estimators/map: needs σ of the torques of motor_current, which goes through "
                     "gains; these are not known: joint1.gain") != std::string::npos);
  CHECK(message.find("declare them, or a prior of them, in /problem/prior/terms") !=
        std::string::npos);
}

}  // namespace
}  // namespace idbench
