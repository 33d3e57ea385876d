#include "robots/robot_file.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "robots/robot.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/json.h"
#include "scenarios/options/text_form_test.h"

namespace idbench {
namespace {

/// What an MJCF file states of velocities.
Eigen::VectorXd NoVelocityLimits(const RobotModel& model) {
  return Eigen::VectorXd::Constant(model.dofs(), std::numeric_limits<double>::infinity());
}

/// A robot of the catalogue, described with numbers that decimals do not hold.
RobotFile Described(const char* name) {
  const Robot robot = LoadRobot(name);
  ParameterSet set = *robot.FindSet("");
  set.pi /= 3.0;
  set.note = "";
  return DescribeRobot(robot.model, set, "model.xml", "a title", NoVelocityLimits(robot.model));
}

TEST_CASE("A description reads back bit for bit: bodies, joints, limits and motors") {
  for (const char* name : {"barrett_wam7", "biped3", "planar2"}) {
    CAPTURE(name);
    const TemporaryFolder folder;
    RobotFile file = Described(name);
    RobotFile again = ReadRobotFile(folder.Write("robot.json", ToText(file)));
    CHECK(WriteFields(Visit(again)) == WriteFields(Visit(file)));
    CHECK(again.nominal_set == again.sets.at(0).first);
  }
}

TEST_CASE("A description holds each body's own inertia, about its centre of mass") {
  const Robot robot = LoadRobot("planar2");
  const RobotFile file = Described("planar2");
  const RobotFileSet& set = file.sets.at(0).second;
  REQUIRE(set.bodies.size() == 3);  // the base, too
  CHECK(set.bodies[0].first == robot.model.BodyName(-1));
  const CentralInertia inertia =
      FromStandard(robot.FindSet("")->pi.segment<kInertialCount>(ParameterLayout(2).Body(1)) / 3.0);
  const RobotFileBody& body = set.bodies[2].second;
  CHECK(body.mass_kg == inertia.mass);
  CHECK(body.com_m == std::vector<double>{inertia.com[0], inertia.com[1], inertia.com[2]});
  CHECK(body.inertia_com_kgm2[1] == inertia.I_com(1, 1));
  CHECK(body.inertia_com_kgm2[4] == inertia.I_com(0, 2));
}

TEST_CASE("What a robot does not have is left out of the text") {
  const std::string arm = ToText(Described("planar2"));
  for (const char* absent : {"null", "actuators", "note", "limits_source"}) {
    CAPTURE(absent);
    CHECK(arm.find(absent) == std::string::npos);
  }
  CHECK(ToText(Described("biped3")).find("\"actuators\"") != std::string::npos);
}

TEST_CASE("A description repeats no limit of velocity that its model file states") {
  const Robot robot = LoadRobot("planar2");
  REQUIRE(robot.model.limits().velocity.allFinite());
  Eigen::VectorXd stated = NoVelocityLimits(robot.model);
  const auto velocities = [&] {
    std::vector<std::string> joints;
    for (const auto& [name, limits] :
         DescribeRobot(robot.model, *robot.FindSet(""), "arm.urdf", "t", stated).joints) {
      if (limits.velocity_limit_rad_s) joints.push_back(name);
    }
    return joints;
  };
  CHECK(velocities() == std::vector<std::string>{"joint1", "joint2"});
  stated[0] = robot.model.limits().velocity[0];
  stated[1] = 2.0 * robot.model.limits().velocity[1];
  CHECK(velocities() == std::vector<std::string>{"joint2"});
}

TEST_CASE("Keys of a robot.json are described in one form") {
  RobotFile file;
  for (const std::string& fault : FormFaults(SchemaOf(Visit(file)))) FAIL_CHECK(fault);
}

TEST_CASE(
    "What a robot.json says of logs is of channels that identify, in patterns that are whole") {
  const auto refusal = [](const std::string& log) {
    LogColumns columns;
    std::vector<Issue> issues;
    ReadFields(Visit(columns), ParseJson(log, "robot.json"), "/log", issues);
    REQUIRE(issues.size() == 1);
    return issues[0].where + ": " + issues[0].what;
  };
  CHECK(refusal(R"({"columns": {"joint_velocity": "dq{1..6}"}})") ==
        "/log/columns/joint_velocity: no channel that a robot is identified from");
  CHECK(refusal(R"({"units": {"torque": "nm"}})") ==
        "/log/units/torque: no channel that a robot is identified from");
  CHECK(
      refusal(R"({"columns": {"joint_torque": "tau{1..6"}})").find("/log/columns/joint_torque: ") ==
      0);
}

}  // namespace
}  // namespace idbench
