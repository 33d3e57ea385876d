#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "bench/small_run_test.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "scenarios/options/json.h"

/// Runs of a robot with force/torque sensors inside, from the scenario to records and series.
namespace idbench {
namespace {

/// planar3 with a sensor at its elbow and one in front of its wrist, exactly moved and measured.
Json ForceTorqueScenario() {
  Json json = Description();
  json.erase("sweep");
  json["robot"] = ParseJson(R"({"model": "planar3", "truth": {"mass_scale": 1.2},
    "force_torque_sensors": {
      "elbow": {"link": "link2", "rpy_rad": [0.3, -0.2, 1], "link_side": "distal"},
      "wrist": {"link": "link2", "point_m": [0, 0, -0.4], "link_side": "proximal"}}})",
                            "test");
  json["problem"] = ParseJson(
      R"({"equations": [{"type": "wrench", "mount": "elbow"}, {"type": "wrench", "mount": "wrist"}]})",
      "test");
  json["sensors"] = ParseJson(R"({"wrench": {"elbow": {}, "wrist": {}}})", "test");
  json["metrics"] = {"base_parameter_relative_error"};
  json["estimators"] = {{"ols", Json::object()}};
  json["trials"] = 1;
  return json;
}

TEST_CASE("What lies beyond the sensors is identified exactly from their exact wrenches") {
  const TemporaryFolder folder;
  const Json json = ForceTorqueScenario();
  const Json record = ParseJson(Records(json, folder / "r"), "records");
  REQUIRE(record.at("outcome") == "ok");
  const double error = record.at("metrics").at("base_parameter_relative_error").at("value");
  CHECK(error < 1e-9);
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const RobotModel& model = context.robot().model;
  // Of link 1, which lies before both, nothing is asked.
  CHECK(context.asked().front() == ParameterLayout(model).Body(1));
  CHECK(std::ranges::none_of(context.problem().parameters.names, [](const std::string& name) {
    return name.starts_with("link1") || name.starts_with("base");
  }));
}

TEST_CASE("Sensors together with torques tell links apart that torques alone do not") {
  const auto unknowns = [](const char* equations) {
    Json json = ForceTorqueScenario();
    json["problem"]["equations"] = ParseJson(equations, "test");
    const LoadedScenario loaded = Load(json);
    RolloutStore rollouts;
    return PreparedCell(loaded, loaded.cells[0], rollouts).problem().parameters.size();
  };
  const int torques = unknowns(R"(["joint_torque"])");
  const int both = unknowns(R"(["joint_torque", {"type": "wrench", "mount": "elbow"}])");
  CHECK(both > torques);
  CHECK(unknowns(R"(["joint_torque", {"type": "wrench", "mount": "elbow"},
      {"type": "wrench", "mount": "wrist"}])") > both);
}

TEST_CASE("An online method takes the same wrenches, and ends where least squares does") {
  const TemporaryFolder folder;
  Json json = ForceTorqueScenario();
  json["sensors"] = ParseJson(
      R"({"wrench": {"elbow": {"noise_std_n_nm": 0.1}, "wrist": {"noise_std_n_nm": 0.02}}})",
      "test");
  json["problem"]["prior"] = {{"relative_std", 1}};
  json["estimators"] = {{"map", Json::object()}, {"ekf", {{"process_noise", 0}}}};
  const std::string records = Records(json, folder / "r");
  const Json map = ParseJson(records.substr(0, records.find('\n')), "records");
  const Json ekf = ParseJson(records.substr(records.find('\n') + 1), "records");
  REQUIRE(map.at("outcome") == "ok");
  REQUIRE(ekf.at("outcome") == "ok");
  for (std::size_t k = 0; k < map.at("x").size(); ++k) {
    const double sigma = map.at("sigma")[k];
    const double difference = map.at("x")[k].get<double>() - ekf.at("x")[k].get<double>();
    CHECK(std::abs(difference) < 1e-4 * sigma);  // the same posterior, by other arithmetic
  }
}

TEST_CASE("Kept wrenches read back as a recording, bit for bit, and are drawn in the page") {
  const TemporaryFolder folder;
  Json json = ForceTorqueScenario();
  Records(json, folder / "r");
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const Dataset simulated = context.Run(0).datasets[0];

  Json recording = ParseJson(R"({
    "name": "again", "robot": {"model": "planar3", "force_torque_sensors":
      {"elbow": {"link": "link2", "rpy_rad": [0.3, -0.2, 1], "link_side": "distal"}}},
    "recording": {"columns": {"time": "t_s", "joint_position": "q{1..3}_rad", "joint_velocity": "qd{1..3}_rad_s",
      "joint_acceleration": "qdd{1..3}_rad_s2",
      "wrench": {"elbow": "wrench_elbow_f{x,y,z}_n, wrench_elbow_m{x,y,z}_nm"}}},
    "problem": {"equations": [{"type": "wrench", "mount": "elbow"}]},
    "experiments": {"a": {"file": "cell0_identification_trial0.csv"}}, "estimators": {"ols": {}}})",
                             "recording");
  recording["recording"]["root"] = (folder / "r" / "series").string();
  const LoadedScenario again = Load(recording);
  const PreparedCell replay(again, again.cells[0], rollouts);
  CHECK(replay.Run(0).datasets[0].Get("wrench/elbow").samples ==
        simulated.Get("wrench/elbow").samples);
}

TEST_CASE("Equations, sensors and columns of a force/torque sensor that is not there are refused") {
  Json json = ForceTorqueScenario();
  json["problem"]["equations"][0]["mount"] = "elbows";
  CHECK(FirstRefusal(json) ==
        "/problem/equations/0/mount: the robot has no force/torque sensor \"elbows\"");
  json = ForceTorqueScenario();
  json["sensors"]["wrench"]["knee"] = Json::object();
  CHECK(FirstRefusal(json) ==
        "/sensors/wrench/knee: the robot has no force/torque sensor \"knee\"");
  json = ForceTorqueScenario();
  json["problem"]["equations"] = {"wrench"};
  CHECK(FirstRefusal(json) == "/problem/equations/0/mount: missing");
  json = ForceTorqueScenario();
  json["robot"]["force_torque_sensors"]["wrist"]["link"] = "link3";
  CHECK(FirstRefusal(json).starts_with("/problem/equations/1/mount: nothing lies beyond wrist"));
  // Nobody measures it.
  json = ForceTorqueScenario();
  json["sensors"]["wrench"].erase("wrist");
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  std::string message;
  try {
    const PreparedCell context(loaded, loaded.cells[0], rollouts);
    context.Run(0);
  } catch (const ConfigError& error) {
    message = error.what();
  }
  CHECK(message.find("wrench needs the channel 'wrench/wrist', which nobody measures") !=
        std::string::npos);
}

}  // namespace
}  // namespace idbench
