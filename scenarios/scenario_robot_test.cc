#include "scenarios/scenario_robot.h"

#include <doctest/doctest.h>

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
        "  accepted here: joint_torque, base_wrench, motor_torque, motor_current");
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

}  // namespace
}  // namespace idbench
