#include "robots/cut_options.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <numbers>

#include "robots/robot.h"
#include "robots/robot_file.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr double kQuarter = std::numbers::pi / 2;

std::vector<Issue> IssuesOf(const ForceTorqueSensors& sensors, Robot robot) {
  std::vector<Issue> issues;
  AddCuts(sensors, "/force_torque_sensors", robot, issues);
  return issues;
}

std::string TextOf(const Issue& issue) {
  std::string text = issue.where + ": " + issue.what;
  for (const std::string& detail : issue.details) text += "; " + detail;
  return text;
}

TEST_CASE("A sensor's angles are those of a URDF") {
  Robot robot = LoadRobot("planar3");
  const RobotModel& model = robot.model;
  std::vector<Issue> issues;
  // x of the sensor is y of the link, y is z, z is x.
  AddCuts({{"ft", {"link2", {0.1, 0.2, 0.3}, {kQuarter, 0.0, kQuarter}, LinkSide::kProximal}}}, "",
          robot, issues);
  REQUIRE(issues.empty());
  REQUIRE(model.cuts().size() == 1);
  const Cut& cut = model.cuts()[0];
  CHECK(cut.name == "ft");
  CHECK(cut.link == 1);
  CHECK(!cut.link_beyond);
  CHECK(cut.p_LS_L == Eigen::Vector3d(0.1, 0.2, 0.3));
  Eigen::Matrix3d expected;
  expected << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  CHECK((cut.R_LS - expected).norm() < 1e-15);  // rounding of a sine
}

TEST_CASE("What is written of cuts makes the same cuts, at the poles of the angles too") {
  RobotModel model = LoadRobot("planar3").model;
  std::vector<Cut> cuts;
  for (const double pitch : {-kQuarter, -0.4, 1.2, kQuarter}) {
    const Eigen::Matrix3d R = (Eigen::AngleAxisd(2.5, Eigen::Vector3d::UnitZ()) *
                               Eigen::AngleAxisd(pitch, Eigen::Vector3d::UnitY()) *
                               Eigen::AngleAxisd(-1.9, Eigen::Vector3d::UnitX()))
                                  .toRotationMatrix();
    cuts.push_back({"ft" + std::to_string(cuts.size()), 1, R, {0.0, 0.1, -0.2}, cuts.size() > 1});
  }
  model.SetCuts(cuts);
  Robot robot = LoadRobot("planar3");
  const RobotModel& again = robot.model;
  std::vector<Issue> issues;
  AddCuts(OptionsOfCuts(model), "", robot, issues);
  REQUIRE(issues.empty());
  REQUIRE(again.cuts().size() == 4);
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK((again.cuts()[k].R_LS - cuts[k].R_LS).norm() < 1e-14);  // rounding of sines
    CHECK(again.cuts()[k].p_LS_L == cuts[k].p_LS_L);
    CHECK(again.cuts()[k].link_beyond == cuts[k].link_beyond);
  }
  // Said twice alike is said once.
  AddCuts(OptionsOfCuts(model), "", robot, issues);
  CHECK(issues.empty());
  CHECK(again.cuts().size() == 4);
}

TEST_CASE("Sensors that the robot cannot have are refused") {
  Robot robot = LoadRobot("planar2");
  const auto refusal = [&](const char* name, ForceTorqueSensorOptions options) {
    const std::vector<Issue> issues = IssuesOf({{name, std::move(options)}}, robot);
    return issues.size() == 1 ? TextOf(issues[0]) : std::to_string(issues.size()) + " issues";
  };
  CHECK(refusal("ft", {.link = "link3"}) ==
        "/force_torque_sensors/ft/link: unknown link \"link3\"; accepted here: link1, link2; did "
        "you mean 'link1'?");
  CHECK(refusal("a/b", {.link = "link2"}) ==
        "/force_torque_sensors/a~1b: a sensor's name is not empty and holds no \"/\"");
  robot.model.SetCuts({{.name = "ft", .link = 1}});
  CHECK(IssuesOf({{"ft", {.link = "link2"}}}, robot).empty());
  CHECK(refusal("ft", {.link = "link1"}) ==
        "/force_torque_sensors/ft: the robot has a sensor of that name at another place");
}

/// A pedestal with two links and a finger that one may hold; a flange is fixed to the second link.
std::string WriteFingerArm(const TemporaryFolder& folder) {
  const std::string inertia = "<inertial pos=\"0 0 0.1\" mass=\"1\" diaginertia=\"0.1 0.1 0.1\"/>";
  return folder.Write(
      "arm.xml", "<mujoco><worldbody><body name=\"pedestal\">" + inertia +
                     "<body name=\"upper\"><joint name=\"j1\" axis=\"0 1 0\"/>" + inertia +
                     "<body name=\"lower\" pos=\"0 0 0.4\"><joint name=\"j2\" axis=\"0 1 0\"/>" +
                     inertia + "<body name=\"flange\" pos=\"0 0 0.3\" euler=\"0 90 0\">" + inertia +
                     "<body name=\"finger\" pos=\"0.1 0 0\"><joint name=\"j3\" axis=\"0 1 0\"/>" +
                     inertia + "</body></body></body></body></body></worldbody></mujoco>");
}

TEST_CASE("A sensor on a body that is fixed to a link has its place in that link") {
  const TemporaryFolder folder;
  Robot robot = LoadRobot(WriteFingerArm(folder));
  std::vector<Issue> issues;
  AddCuts({{"ft", {"flange", {0.01, 0.02, 0.03}, {0, 0, 0}, LinkSide::kProximal}}}, "", robot,
          issues);
  REQUIRE(issues.empty());
  const Cut& cut = robot.model.cuts()[0];
  CHECK(robot.model.link(cut.link).name == "lower");
  CHECK(!cut.link_beyond);
  // The flange's x is −z of the link, its z is x.
  CHECK((cut.p_LS_L - Eigen::Vector3d(0.03, 0.02, 0.29)).norm() < 1e-15);
  CHECK((cut.R_LS * Eigen::Vector3d::UnitZ() - Eigen::Vector3d::UnitX()).norm() < 1e-15);
  CHECK(TextOf(IssuesOf({{"ft", {.link = "pedestal"}}}, robot)[0]) ==
        "/force_torque_sensors/ft/link: \"pedestal\" does not move: it is fixed to the base; "
        "accepted here: upper, lower, flange, finger");
}

TEST_CASE("A sensor on a body that is held must not divide the link that carries it") {
  const TemporaryFolder folder;
  const std::string file = WriteFingerArm(folder);
  const Robot robot = LoadRobot(file, {"", {{"j{1..2}"}}, {{"j3", 0.5}}});
  const std::vector<Issue> refused = IssuesOf({{"ft", {.link = "finger"}}}, robot);
  REQUIRE(refused.size() == 1);
  CHECK(TextOf(refused[0]) ==
        "/force_torque_sensors/ft/link: \"finger\" belongs to lower here, and this sensor divides "
        "what that link carries or is made of; let the joint of finger move (/robot/joints), or "
        "name another body or link_side with all of lower before or beyond it");
  // All of the link lies before the finger's far end, where only something attached can follow.
  Robot before = robot;
  std::vector<Issue> issues;
  AddCuts({{"ft", {"finger", {0, 0, 0.1}, {0, 0, 0}, LinkSide::kProximal}}}, "", before, issues);
  REQUIRE(issues.empty());
  CHECK(before.model.cuts()[0].link == 1);
  CHECK(!before.model.cuts()[0].link_beyond);
  const LinkBody& finger = *FindBody(robot, "finger");
  CHECK((before.model.cuts()[0].p_LS_L - (finger.p_LB_L + finger.R_LB * Eigen::Vector3d(0, 0, 0.1)))
            .norm() < 1e-15);
}

TEST_CASE("A robot.json declares sensors, and a written one has them again") {
  const TemporaryFolder folder;
  const std::filesystem::path planar2 = RobotFolder() / "planar2";
  std::filesystem::copy_file(planar2 / "planar2.xml", folder / "planar2.xml");
  Json file = ReadJsonFile(planar2 / "robot.json");
  file["force_torque_sensors"] = {
      {"elbow", {{"link", "link2"}, {"point_m", {0, 0, -0.1}}, {"link_side", "distal"}}}};
  folder.Write("robot.json", file.dump());
  const Robot robot = LoadRobot(folder / "robot.json");
  REQUIRE(robot.model.cuts().size() == 1);
  CHECK(robot.model.CutIndex("elbow") == 0);
  const RobotFile described = DescribeRobot(robot.model, *robot.FindSet(""), "planar2.xml",
                                            robot.title, robot.model.limits().velocity);
  CHECK(described.force_torque_sensors ==
        ForceTorqueSensors{{"elbow", {.link = "link2", .point_m = {0.0, 0.0, -0.1}}}});

  file["force_torque_sensors"]["elbow"].erase("link_side");
  folder.Write("robot.json", file.dump());
  try {
    LoadRobot(folder / "robot.json");
    FAIL("a sensor without a side was accepted");
  } catch (const ConfigError& error) {
    CHECK(error.issues()[0].where == "/force_torque_sensors/elbow/link_side");
  }
}

}  // namespace
}  // namespace idbench
