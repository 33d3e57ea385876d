#include "scenarios/scenario_reader.h"

#include <doctest/doctest.h>

#include "robots/temporary_folder_test.h"
#include "scenarios/loaded_test.h"

namespace idbench {
namespace {

TEST_CASE("A simulation gets its defaults spelled out, and reading these gives the same") {
  const LoadedScenario loaded = LoadSmall(SmallSimulation());
  CHECK(loaded.cells.size() == 1);
  CHECK((*loaded.expanded)["plant"]["timestep_s"] == 0.00025);
  CHECK((*loaded.expanded)["control"]["type"] == "computed_torque");
  CHECK((*loaded.expanded)["problem"]["parametrisation"]["coulomb_width_rad_s"] == 0.02);
  CHECK(LoadSmall(*loaded.expanded).expanded == loaded.expanded);
}

TEST_CASE("Overrides change what is read, and are refused where they lead nowhere") {
  CHECK(LoadSmall(SmallSimulation(), {{"/trials", "7"}}).scenario.trial_count() == 7);
  CHECK(LoadSmall(SmallSimulation(), {{"/title", "no JSON"}}).scenario.title == "no JSON");
  CHECK(LoadMessage(SmallSimulation(), {{"/estimatorss/ols", "{}"}}) ==
        "test.json: --set /estimatorss/ols: leads nowhere: no \"estimatorss\" in \"\"\n"
        "  accepted here: name, robot, experiments, sensors, problem, estimators, trials\n"
        "  did you mean 'estimators'?");
}

TEST_CASE("Every cell is checked after substitution") {
  Json json = SmallSimulation();
  json["sweep"] = Json::parse(
      R"([{"name": "noise", "set": {"/sensors/joint_torque/noise_std_nm": [0.1, -1]}}])");
  CHECK(LoadMessage(json) ==
        "test.json: /sensors/joint_torque/noise_std_nm: got -1\n"
        "  accepted here: a number, or a list with one number per joint, at least 0 [N·m]\n"
        "  in the sweep's noise -1");
}

TEST_CASE("A table that asks for what there is not is refused with the scenario") {
  Json json = SmallSimulation();
  json["tables"] = Json::parse(R"([{"rows": "nois", "columns": "estimator"}])");
  CHECK(LoadMessage(json).find("test.json: /tables/0/rows") == 0);
}

TEST_CASE("The gate's metric must be one that the scenario records") {
  Json json = SmallSimulation();
  json["gate"] = {{"metric", "joint_torque_rmse_nm@identification"}, {"tolerance", 0.1}};
  CHECK(LoadMessage(json).empty());
  json["gate"]["metric"] = "joint_torque_rmse_nm";
  CHECK(LoadMessage(json) ==
        "test.json: /gate/metric: the scenario has no metric \"joint_torque_rmse_nm\"\n"
        "  accepted here: joint_torque_rmse_nm@identification, base_parameter_relative_error");
  json["gate"] = {{"tolerance", 0}};
  CHECK(LoadMessage(json) ==
        "test.json: /gate/tolerance: got 0\n  accepted here: a number, greater than 0");
  json["gate"] = {{"metric", "base_parameter_relative_error@validation"}};
  CHECK(LoadMessage(json) ==
        "test.json: /gate/metric: the scenario has no metric "
        "\"base_parameter_relative_error@validation\"\n  accepted here: "
        "joint_torque_rmse_nm@identification, base_parameter_relative_error\n"
        "  did you mean 'base_parameter_relative_error'?");
}

TEST_CASE("An unknown robot is refused") {
  Json json = SmallSimulation();
  json["robot"]["model"] = "planar4";
  CHECK(LoadMessage(json).starts_with("test.json: /robot/model: planar4: no such robot"));
}

TEST_CASE("An end effector is on a link that there is, and its wrench takes six joints") {
  Json json = SmallSimulation();
  json["robot"]["end_effector"] = {{"link", "link9"}, {"point_m", {0, 0, 0.1}}};
  CHECK(LoadMessage(json).starts_with(
      "test.json: /robot/end_effector/link: unknown link \"link9\"\n"));
  json["robot"]["end_effector"] = {{"point_m", {0, 0.1}}};
  CHECK(LoadMessage(json) ==
        "test.json: /robot/end_effector/point_m: got a list of 2\n"
        "  accepted here: three numbers");
  json = SmallSimulation();
  json["problem"]["equations"] = {"end_effector_wrench"};
  CHECK(LoadMessage(json) ==
        "test.json: /problem/equations/0: end_effector_wrench needs at least 6 joints, planar2 has "
        "2\n"
        "  accepted here: joint_torque, base_wrench");
}

TEST_CASE("IMU and distance meter are on links that there are, and sensors need them") {
  Json json = SmallSimulation();
  json["robot"]["imu"] = {{"link", "link2"}, {"point_m", {0, 0, 0.3}}};
  json["robot"]["distance_meter"] = {{"link", "link1"}, {"axis", {3, 0, -4}}};
  json["robot"]["truth"]["imu_offset_m"] = {0, 0, 0.03};
  json["sensors"]["accelerometer"] = json["sensors"]["distance"] = {{"origin", "measured"}};
  const RobotModel model = LoadSmall(json).robot.model;
  CHECK(model.imu()->link == 1);
  CHECK(model.imu()->p_LS_L == Eigen::Vector3d(0.0, 0.0, 0.3));  // what estimators know
  CHECK(model.distance_meter()->axis_L == Eigen::Vector3d(0.6, 0.0, -0.8));
  json["robot"].erase("imu");
  json["robot"].erase("distance_meter");
  CHECK(LoadMessage(json) ==
        "test.json: /sensors/accelerometer/origin: \"measured\" needs an IMU on the robot\n"
        "  declare its place in /robot/imu\n  or remove the sensor\n"
        "test.json: /sensors/distance/origin: \"measured\" needs a distance meter on the robot\n"
        "  declare its place in /robot/distance_meter\n  or remove the sensor\n"
        "test.json: /robot/truth/imu_offset_m: needs an IMU on the robot\n"
        "  declare its place in /robot/imu\n  or remove the offset");
  json = SmallSimulation();
  json["robot"]["imu"] = {{"link", "link3"}};
  json["robot"]["distance_meter"] = {{"link", "link1"}, {"axis", {0, 0, 0}}, {"point_m", {1, 2}}};
  json["robot"]["truth"]["imu_offset_m"] = {1};
  CHECK(LoadMessage(json) ==
        "test.json: /robot/distance_meter/point_m: got a list of 2\n"
        "  accepted here: three numbers\n"
        "test.json: /robot/distance_meter/axis: got a vector of length 0\n"
        "test.json: /robot/truth/imu_offset_m: got a list of 1\n"
        "  accepted here: three numbers\n"
        "test.json: /robot/imu/link: unknown link \"link3\"\n"
        "  accepted here: link1, link2\n"
        "  did you mean 'link1'?");
}

TEST_CASE("Unknown sets and joints are answered with those that there are") {
  Json json = SmallSimulation();
  json["robot"]["truth"] = {{"set", "nominl"}};
  CHECK(LoadMessage(json) ==
        "test.json: /robot/truth/set: planar2 has no set \"nominl\"\n"
        "  accepted here: nominal\n  did you mean 'nominal'?");
  json = SmallSimulation();
  json["sensors"]["joint_torque"]["joints"] = {{"joint3", {{"noise_std_nm", 1}}}};
  CHECK(LoadMessage(json).find("test.json: /sensors/joint_torque/joints/joint3: ") == 0);
}

TEST_CASE("A walker takes no control that needs a motor on every joint") {
  Json json = SmallSimulation();
  json["robot"]["model"] = "biped3";
  json["experiments"]["identification"]["control"] = {{"type", "exact_replay"}};
  CHECK(
      LoadMessage(json).find("test.json: /experiments/identification/control: this control needs a "
                             "motor on every joint, but nothing drives q1\n") != std::string::npos);
}

TEST_CASE("The true joints are checked against the robot") {
  Json json = SmallSimulation();
  json["robot"]["truth"] =
      Json::parse(R"({"mass_scale": 1.1, "friction": {"coulomb_nm": [1, 2, 3]}})");
  CHECK(LoadMessage(json) ==
        "test.json: /robot/truth/friction/coulomb_nm: got a list of 3\n"
        "  accepted here: one number, or a list with one for each of joint1, joint2");
  json["robot"]["truth"]["friction"]["coulomb_nm"] = {1, 2};
  CHECK((*LoadSmall(json).expanded)["robot"]["truth"]["friction"]["coulomb_nm"] ==
        Json({1.0, 2.0}));
}

TEST_CASE("A mismatch with a state cannot be replayed exactly") {
  Json json = SmallSimulation();
  json["control"] = {{"type", "exact_replay"}};
  json["robot"]["truth"] = Json::parse(R"({"mismatch": {"frictionloss_nm": 1}})");
  CHECK(LoadMessage(json) ==
        "test.json: /robot/truth/mismatch: LuGre friction or frictionloss needs experiments that "
        "are simulated step by step\n"
        "  set /control/type to one other than \"exact_replay\"\n  or remove it");
}

TEST_CASE("Controls and motions that contradict robot or sensors are refused") {
  Json json = SmallSimulation();
  json["experiments"]["identification"]["motion"] = {
      {"type", "way_points"}, {"points_rad", {{0.0}}}, {"dwell_s", 1}};
  CHECK(LoadMessage(json) ==
        "test.json: /experiments/identification/motion/points_rad/0: got a list of 1\n"
        "  accepted here: one number for each of joint1, joint2");
  json = SmallSimulation();
  json["control"] = {{"type", "pd_gravity"}, {"feedback", "measured"}};
  json["sensors"]["joint_position"] = {{"origin", "oracle"}};
  CHECK(LoadMessage(json) ==
        "test.json: /control/feedback: \"measured\" needs measured joint positions\n"
        "  set /sensors/joint_position/origin to \"measured\"\n"
        "  or set /control/feedback to \"true_state\"");
  json = SmallSimulation();
  json["experiments"]["identification"]["control"] = {{"type", "pd_gravity"}, {"rate_hz", 900}};
  CHECK(LoadMessage(json).find(
            "test.json: /experiments/identification/control/rate_hz: a rate of 900 "
            "Hz does not divide") == 0);
}

TEST_CASE("Checkpoints are sorted, and metrics speak of those that there are") {
  Json json = SmallSimulation();
  json["evaluate_at_s"] = {2, 1};
  CHECK(LoadMessage(json) ==
        "test.json: /evaluate_at_s: times do not increase\n  sort the times, "
        "and list each of them once");
  json["evaluate_at_s"] = {0.5, 1};
  json["metrics"] = {"joint_torque_rmse_nm@identification@t=2", "joint_torque_rmse_nm@t=1"};
  CHECK(LoadMessage(json) ==
        "test.json: /metrics/0: no such checkpoint: \"t=2\"\n"
        "  accepted here: t=0.5, t=1\n  did you mean 't=1'?\n"
        "test.json: /metrics/1: joint_torque_rmse_nm has one value per experiment\n"
        "  write \"joint_torque_rmse_nm@<experiment>@t=1\"");
  json["metrics"] = {"joint_torque_rmse_nm", "base_parameter_relative_error@t=1"};
  std::vector<std::string> names;
  for (const RunMetric& metric : LoadSmall(json).metrics) names.push_back(metric.name);
  CHECK(names == std::vector<std::string>{"joint_torque_rmse_nm@identification@t=0.5",
                                          "joint_torque_rmse_nm@identification@t=1",
                                          "joint_torque_rmse_nm@identification",
                                          "base_parameter_relative_error@t=1"});
}

TEST_CASE("Unknown metrics and experiments are answered with those that there are") {
  Json json = SmallSimulation();
  json["metrics"] = {"joint_torque_rmse", "joint_torque_rmse_nm@here",
                     "base_parameter_relative_error@identification"};
  CHECK(LoadMessage(json) ==
        "test.json: /metrics/0: no such metric: \"joint_torque_rmse\"\n"
        "  accepted here: joint_torque_rmse_nm, base_parameter_relative_error\n"
        "  a key carries its unit: did you mean 'joint_torque_rmse_nm'?\n"
        "test.json: /metrics/1: no such experiment: \"here\"\n"
        "  accepted here: identification\n"
        "test.json: /metrics/2: base_parameter_relative_error has one value per estimate, not per "
        "experiment\n"
        "  write \"base_parameter_relative_error\"");
}

TEST_CASE("Metrics are listed per experiment, with their components") {
  const LoadedScenario loaded = LoadSmall(SmallSimulation());
  REQUIRE(loaded.metrics.size() == 2);
  CHECK(loaded.metrics[0].name == "joint_torque_rmse_nm@identification");
  CHECK(loaded.metrics[0].components == std::vector<std::string>{"joint1", "joint2"});
  CHECK(loaded.metrics[1].name == "base_parameter_relative_error");
  CHECK(loaded.absent_metrics.empty());
}

TEST_CASE("Metrics that need the truth are absent for a recording, and the reason is kept") {
  const TemporaryFolder folder;
  folder.Write("there.csv", "t_s\n");
  Json json = ParseJson(R"({
    "name": "r", "robot": {"model": "planar1"},
    "recording": {"root": "", "columns": {"time": "t_s", "joint_position": "q1_rad"}},
    "experiments": {"a": {"file": "there.csv"}}, "estimators": {"ols": {}}})",
                        "recording");
  json["recording"]["root"] = folder.path().string();
  const LoadedScenario loaded = LoadSmall(json);
  REQUIRE(loaded.metrics.size() == 1);
  REQUIRE(loaded.absent_metrics.size() == 1);
  CHECK(loaded.absent_metrics[0].first == "base_parameter_relative_error");
  CHECK(loaded.absent_metrics[0].second == "no truth: a recording of a real robot");
}

}  // namespace
}  // namespace idbench
