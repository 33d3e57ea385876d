#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "bench/small_run_test.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/export/export_robot.h"
#include "scenarios/options/json.h"

/// Runs of a robot with terms of its own, from its robot.json to the records.
namespace idbench {
namespace {

/// planar3 with a belt that drives joints 2 and 3, exactly moved and exactly measured.
Json BeltScenario(const TemporaryFolder& folder) {
  const std::filesystem::path planar3 = RobotFolder() / "planar3";
  std::filesystem::copy_file(planar3 / "planar3.xml", folder / "arm.xml",
                             std::filesystem::copy_options::overwrite_existing);
  Json robot = ReadJsonFile(planar3 / "robot.json");
  robot["name"] = "belt";
  robot["model"] = "arm.xml";
  robot["actuators"] = {{"a", {{"joint1", 3}}},
                        {"b", {{"joint2", 2}}},
                        {"belt", {{"joint2", 1.5}, {"joint3", -1.5}}}};
  folder.Write("robot.json", robot.dump());
  Json json = Description();
  json.erase("sweep");
  json["robot"] = {
      {"model", (folder / "robot.json").string()},
      {"truth",
       {{"terms", {{"belt.fc+", 0.3}, {"belt.fc-", 0.5}, {"belt.fv+", 0.2}, {"belt.fv-", 0.1}}},
        {"friction", {{"viscous_nms_rad", 0.4}}}}}};
  json["problem"] = ParseJson(
      R"({"parametrisation": {"friction": ["viscous", "coulomb", "offset"], "rotor_inertia": true},
      "terms": [{"type": "asymmetric_friction", "motors": "belt"}]})",
      "test");
  json["sensors"]["joint_torque"]["noise_std_nm"] = 0;
  json["experiments"]["validation"] = json["experiments"]["identification"];
  json["experiments"]["validation"]["role"] = "validation";
  json["experiments"]["validation"]["motion"]["stream"] = "other";
  json["metrics"] = {"base_parameter_relative_error", "joint_torque_clean_rmse_nm@validation"};
  json["estimators"] = {{"ols", Json::object()}};
  json["trials"] = 1;
  return json;
}

Json Record(const Json& scenario, const TemporaryFolder& folder) {
  std::filesystem::remove_all(folder / "run");
  return ParseJson(Records(scenario, folder / "run"), "records");
}

TEST_CASE("Coupled asymmetric friction is identified exactly from exact data") {
  const TemporaryFolder folder;
  const Json record = Record(BeltScenario(folder), folder);
  REQUIRE(record.at("outcome") == "ok");
  CHECK(MetricOf(record, "base_parameter_relative_error") < 1e-9);
  CHECK(MetricOf(record, "joint_torque_clean_rmse_nm@validation") < 1e-9);
}

TEST_CASE("Friction that the problem does not ask for is an error of the model") {
  const TemporaryFolder folder;
  Json json = BeltScenario(folder);
  json["robot"]["terms"] = json["problem"]["terms"];
  json["problem"].erase("terms");
  const Json record = Record(json, folder);
  REQUIRE(record.at("outcome") == "ok");
  CHECK(MetricOf(record, "joint_torque_clean_rmse_nm@validation") > 0.05);
}

TEST_CASE("A simulated arm moves with the friction and the rotors of its own terms") {
  const TemporaryFolder folder;
  Json json = BeltScenario(folder);
  json["control"] = {{"type", "computed_torque"}};
  json["problem"]["prior"] = Json::object();
  json["plant"] = {{"timestep_s", 0.0005}};
  json["problem"]["terms"].push_back(
      ParseJson(R"({"type": "rotor_inertia", "on": "motors"})", "test"));
  for (const char* motor : {"a.ia", "b.ia", "belt.ia"})
    json["robot"]["truth"]["terms"][motor] = 0.05;
  const Json record = Record(json, folder);
  REQUIRE(record.at("outcome") == "ok");
  // The oracle's accelerations are those of the step: what is left is rounding.
  CHECK(MetricOf(record, "base_parameter_relative_error") < 1e-8);
}

TEST_CASE("A sweep over the terms gives each cell its own unknowns") {
  const TemporaryFolder folder;
  Json json = BeltScenario(folder);
  json["robot"]["terms"] = json["problem"]["terms"];
  json["sweep"] =
      Json::array({{{"name", "model"},
                    {"values", {"without", "with"}},
                    {"set", {{"/problem/terms", {Json::array(), json["problem"]["terms"]}}}}}});
  const std::string records = Records(json, folder / "run");
  const auto end = records.find('\n');
  const Json without = ParseJson(records.substr(0, end), "records");
  const Json with = ParseJson(records.substr(end + 1), "records");
  CHECK(with.at("x").size() == without.at("x").size() + 4);
  CHECK(MetricOf(with, "joint_torque_clean_rmse_nm@validation") < 1e-9);
  CHECK(MetricOf(without, "joint_torque_clean_rmse_nm@validation") > 0.05);
}

TEST_CASE("Values of terms that the robot lacks, and terms without a meaning, are refused") {
  const TemporaryFolder folder;
  const auto refusal = [&](const Json& json) -> std::string {
    try {
      Load(json);
    } catch (const ConfigError& error) {
      return error.issues()[0].where + ": " + error.issues()[0].what;
    }
    return "";
  };
  Json json = BeltScenario(folder);
  json["robot"]["truth"]["terms"]["belt.fs"] = 1.0;
  CHECK(refusal(json) == "/robot/truth/terms/belt.fs: belt has no such term of its own");
  json = BeltScenario(folder);
  json["problem"]["terms"][0]["motors"] = "chain";
  CHECK(refusal(json) == "/problem/terms/0/motors: the robot has no \"chain\"");
  json = BeltScenario(folder);
  json["problem"]["parametrisation"] = {{"type", "joint_state"},
                                        {"bounds", {{"q", {-2, 2}}, {"qd", {-9, 9}}}}};
  json["problem"]["prior"] = {{"std_of_bounds", 1}};
  json["problem"]["equations"] = {"joint_position"};
  json["estimators"] = {{"ekf", Json::object()}};
  CHECK(refusal(json) == "/problem/terms: have no meaning for \"joint_state\"");
}

TEST_CASE("An exported model has its own terms beside it, and predicts the same torques") {
  const TemporaryFolder folder;
  const LoadedScenario loaded = Load(BeltScenario(folder));
  const Robot& robot = loaded.cells[0].robot;
  ParameterSet set{"identified", "test", "", robot.FindSet("")->pi};
  set.pi.tail<4>() << 0.1, 0.2, 0.3, 0.4;
  const RobotExport files = ExportRobot(robot, set, {});
  folder.Write("exported/" + files.model_name, files.model);
  folder.Write("exported/robot.json", files.description);
  const Robot exported = LoadRobot(folder / "exported/robot.json");
  REQUIRE(exported.model.terms() == robot.model.terms());
  const FixedStates states = MakeFixedStates(robot.model, 20, 3);
  const auto torques = [&states](const Robot& of, const Eigen::VectorXd& pi) {
    const Dynamics dynamics(of.model, FrictionShape{0.1});
    Dynamics::Scratch scratch(dynamics);
    Eigen::MatrixXd tau(20, 3);
    dynamics.InverseDynamics(pi, states.samples(), scratch, tau);
    return tau;
  };
  const Eigen::MatrixXd expected = torques(robot, set.pi);
  CHECK((torques(exported, exported.FindSet("")->pi) - expected).norm() < 1e-9 * expected.norm());
}

}  // namespace
}  // namespace idbench
