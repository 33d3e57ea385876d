#include "scenarios/scenario_robot.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>

#include "scenarios/loaded_test.h"

namespace idbench {
namespace {

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
        "  accepted here: joint_torque, base_wrench, motor_torque, motor_current, motor_pwm");
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

TEST_CASE("A scenario names the part of a model that is its robot") {
  Json json = SmallSimulation();
  json["robot"]["joints"] = "joint{1..1}";  // as patterns of columns, one or a list
  json["robot"]["held_at"] = {{"joint2", 0.5}};
  const LoadedScenario loaded = LoadSmall(json);
  CHECK(loaded.robot.model.joint_names() == std::vector<std::string>{"joint1"});
  CHECK(loaded.robot.held.at(0).position == 0.5);
  const Json& robot = (*loaded.expanded)["robot"];
  CHECK(robot["root"] == "");
  CHECK(robot["joints"] == Json({"joint{1..1}"}));
  CHECK(robot["held_at"] == Json({{"joint2", 0.5}}));
  CHECK(LoadSmall(*loaded.expanded).robot.part == loaded.robot.part);
  json["robot"] = {{"model", "planar2"}, {"root", "link1"}};
  CHECK(LoadSmall(json).robot.model.base_name() == "link1");
}

TEST_CASE("A part that the model does not have is refused where it is said") {
  Json json = SmallSimulation();
  json["robot"]["joints"] = {"joint1", "joint3"};
  CHECK(LoadMessage(json) ==
        "test.json: /robot/joints/1: the model has no joint \"joint3\"\n"
        "  accepted here: joint1, joint2\n  did you mean 'joint1'?");
  json["robot"]["joints"] = {"joint1"};
  json["robot"]["held_at"] = {{"joint1", 1}};
  CHECK(LoadMessage(json) ==
        "test.json: /robot/held_at/joint1: is a joint that moves\n"
        "  remove it, or name the joints that move without it");
  json["robot"] = {{"model", "planar2"}, {"root", "arm"}};
  CHECK(LoadMessage(json).starts_with("test.json: /robot/root: the model has no body \"arm\"\n"));
  json["robot"] = {{"model", "planar2"}, {"joints", 2}};
  CHECK(LoadMessage(json).starts_with("test.json: /robot/joints: "));
}

TEST_CASE("Points may be on a body that is fixed to a link, by its pose there") {
  Json json = SmallSimulation();
  json["robot"]["joints"] = "joint1";
  json["robot"]["held_at"] = {{"joint2", 0.5}};
  json["robot"]["end_effector"] = {{"link", "link2"}, {"point_m", {0.1, 0, 0.2}}};
  json["robot"]["distance_meter"] = {{"link", "link2"}, {"axis", {0, 0, -2}}};
  const Robot robot = LoadSmall(json).robot;
  const Robot whole = LoadRobot("planar2");
  const Link& elbow = whole.model.link(1);
  // δ = 0.5 about the axis of joint 2, whose anchor is the origin of link 2.
  REQUIRE(elbow.anchor.isZero(0.0));
  const Eigen::Matrix3d R =
      elbow.R0 * Eigen::AngleAxisd(0.5 - elbow.reference, elbow.axis).toRotationMatrix();
  CHECK(robot.model.end_effector().link == 0);
  CHECK((robot.model.end_effector().p_LE_L - (elbow.p0 + R * Eigen::Vector3d(0.1, 0.0, 0.2)))
            .norm() <= 1e-15);
  CHECK((robot.model.distance_meter()->axis_L + R.col(2)).norm() <= 1e-15);
  json["robot"]["imu"] = {{"link", "link2"}};
  CHECK(LoadMessage(json) ==
        "test.json: /robot/imu/link: \"link2\" is fixed to link1 with other axes, and an IMU has "
        "those of its link\n  name link1, and the point in its frame");
  json["robot"]["imu"] = {{"link", "base"}};
  CHECK(LoadMessage(json) ==
        "test.json: /robot/imu/link: \"base\" does not move: it is fixed to the base\n"
        "  accepted here: link1, link2");
}

}  // namespace
}  // namespace idbench
