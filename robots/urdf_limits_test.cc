#include "robots/urdf_limits.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "robots/robot.h"
#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

constexpr double kNoVelocity = std::numeric_limits<double>::infinity();

std::string JointOf(const std::string& type, const std::string& name, const std::string& parent,
                    const std::string& child, const std::string& more) {
  return "<joint type=\"" + type + "\" name=\"" + name + "\"><parent link=\"" + parent +
         "\"/><child link=\"" + child + "\"/><axis xyz=\"0 1 0\"/>" + more + "</joint>";
}

std::string LinkNamed(const std::string& name) {
  return "<link name=\"" + name +
         R"("><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" )" +
         R"(ixy="0" ixz="0" iyz="0"/></inertial></link>)";
}

std::string LimitOf(const std::string& velocity) {
  return "<limit lower=\"-1\" upper=\"1\" effort=\"9\" velocity=\"" + velocity + "\"/>";
}

/// A turn, a slide and a turn that mimics the first, with a fixed link between them.
std::string Crane() {
  return R"(<robot name="crane">)" + LinkNamed("foot") + LinkNamed("mast") + LinkNamed("plate") +
         LinkNamed("boom") + LinkNamed("hook") +
         JointOf("revolute", "turn", "foot", "mast", LimitOf("1.5")) +
         JointOf("fixed", "bolt", "mast", "plate", LimitOf("4")) +
         JointOf("prismatic", "slide", "plate", "boom", LimitOf("0.25")) +
         JointOf("continuous", "swing", "boom", "hook",
                 R"(<limit effort="1" velocity="2"/><mimic joint="turn" multiplier="2"/>)") +
         "</robot>";
}

TEST_CASE(
    "Only positive finite numbers are limits of velocity, and only of joints that are asked") {
  const TemporaryFolder folder;
  const std::string file = folder.Write(
      "arm.urdf", R"(<robot name="arm"><joint name="a"><limit velocity=" 1.5e0 "/></joint>
        <joint name="zero"><limit velocity="0"/></joint>
        <joint name="negative"><limit velocity="-2"/></joint>
        <joint name="text"><limit velocity="2 rad/s"/></joint>
        <joint name="endless"><limit velocity="inf"/></joint>
        <joint name="not_a_number"><limit velocity="nan"/></joint>
        <joint name="empty"><limit velocity=""/></joint>
        <joint name="missing"><limit effort="3"/></joint><joint name="unlimited"/>
        <transmission name="t"><joint name="a"><limit velocity="7"/></joint></transmission>
        <joint name="other"><limit velocity="8"/></joint></robot>)");
  CHECK(UrdfVelocityLimits(file, {"a"}) == Eigen::VectorXd::Constant(1, 1.5));
  const std::vector<std::string> none = {"zero",    "negative",     "text",
                                         "endless", "not_a_number", "empty",
                                         "missing", "unlimited",    "nowhere"};
  CHECK(UrdfVelocityLimits(file, none) == Eigen::VectorXd::Constant(9, kNoVelocity));
}

TEST_CASE("A URDF's robot has the limits of velocity that the file states, by joint") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("crane.urdf", Crane());
  // The joint that mimics another is loaded as one that moves by itself, with its own limit.
  const Robot robot = LoadRobot(file);
  REQUIRE(robot.model.joint_names() == std::vector<std::string>{"turn", "slide", "swing"});
  CHECK(robot.model.limits().velocity == Eigen::Vector3d(1.5, 0.25, 2.0));
  CHECK(robot.model.limits().effort == Eigen::Vector3d(9.0, 9.0, 1.0));
  // Of a part, those of the joints that move.
  RobotPart part;
  part.joints.patterns = {"slide"};
  const Robot held = LoadRobot(file, part);
  CHECK(held.model.limits().velocity == Eigen::VectorXd::Constant(1, 0.25));
}

TEST_CASE("A robot.json's limits count before those of its URDF, each where it says something") {
  const TemporaryFolder folder;
  folder.Write("crane.urdf", Crane());
  const std::string body =
      R"({"mass_kg": 1, "com_m": [0, 0, 0], "inertia_com_kgm2": [1, 1, 1, 0, 0, 0]})";
  const std::string file = folder.Write(
      "robot.json", R"({"name": "crane", "title": "t", "model": "crane.urdf", "nominal_set": "s",
        "joints": {"slide": {"velocity_limit_rad_s": 3}, "turn": {"acceleration_limit_rad_s2": 5}},
        "sets": {"s": {"source": "invented", "bodies": {"foot": )" +
                        body + R"(, "mast": )" + body + R"(, "boom": )" + body + R"(, "hook": )" +
                        body + "}}}}");
  const Robot whole = LoadRobot(file);
  CHECK(whole.model.limits().velocity == Eigen::Vector3d(1.5, 3.0, 2.0));
  CHECK(whole.model.limits().acceleration == Eigen::Vector3d(5.0, kNoVelocity, kNoVelocity));
  RobotPart part;
  part.joints.patterns = {"slide"};
  CHECK(LoadRobot(file, part).model.limits().velocity == Eigen::VectorXd::Constant(1, 3.0));
}

TEST_CASE("Robots of MJCF files have the limits of velocity of their robot.json alone") {
  const Robot kuka = LoadRobot("kuka_lwr4");
  CHECK(UrdfVelocityLimits(kuka.file, kuka.model.joint_names()) ==
        Eigen::VectorXd::Constant(7, kNoVelocity));
  CHECK(kuka.model.limits().velocity.allFinite());
  CHECK_FALSE(LoadRobot("leg2").model.limits().velocity.array().isFinite().any());
}

}  // namespace
}  // namespace idbench
