#include "robots/model_reader.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "robots/dynamics/parameters/pseudo_inertia.h"
#include "robots/mujoco_reference_test.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What ReadRobot() reads from a file of this name and text.
RobotDescription Read(std::string_view text, const std::string& name = "arm.xml") {
  const TemporaryFolder folder;
  const std::string file = folder.Write(name, text);
  const SpecPtr spec = ParseSpec(file);
  return ReadRobot(spec.get(), "arm", file);
}

/// The message that refuses such a file, without the folder's name.
std::string ModelRefusal(std::string_view text) {
  try {
    Read(text);
  } catch (const ConfigError& error) {
    return WithoutFolder(error.what(), error.source());
  }
  return "none";
}

Eigen::Matrix<double, kInertialCount, 1> BodyParameters(const RobotDescription& robot, int body) {
  return robot.pi.segment<kInertialCount>(ParameterLayout(robot.model.dofs()).Body(body));
}

// That the kinematics and dynamics of all this are MuJoCo's is tested in robots/dynamics.
TEST_CASE(
    "A tree with branches, welds and three joints on a body becomes links in depth-first order") {
  const MujocoReference reference = MujocoReference::FromText(kOddTree);
  const RobotModel& model = reference.tree.model;
  CHECK(model.base_name() == "pedestal");
  std::vector<std::string> names;
  std::vector<int> parents;
  for (const Link& link : model.links()) {
    names.push_back(link.name);
    parents.push_back(link.parent);
    CHECK(link.massless == (link.name == "a/a_turn" || link.name == "a/a_slide"));
  }
  CHECK(names == std::vector<std::string>{"a/a_turn", "a/a_slide", "a", "b", "c", "d", "e"});
  CHECK(parents == std::vector<int>{-1, 0, 1, 2, 3, 2, -1});
  CHECK(model.joint_names() == std::vector<std::string>{"a_turn", "a_slide", "a_twist", "b_slide",
                                                        "c_turn", "d_turn", "e_turn"});
  CHECK(model.link(1).type == JointType::kPrismatic);
  CHECK(model.link(2).type == JointType::kRevolute);
  CHECK(model.link(0).reference == 0.4);
  CHECK(model.link(2).axis == Eigen::Vector3d::UnitZ());
  CHECK(model.gravity().norm() == doctest::Approx(Eigen::Vector3d(1.5, -2.5, -9.0).norm()));
  // The first massless link has no parameters; the clamp's mass is link a's, the plate's and the
  // post's are the base's.
  const ParameterLayout layout(7);
  CHECK(reference.pi[layout.Body(0)] == 0.0);
  CHECK(reference.pi[layout.Body(1)] == 0.0);
  CHECK(reference.pi[layout.Body(2)] == doctest::Approx(3.0 + 0.8));
  CHECK(reference.pi[layout.Body(-1)] == doctest::Approx(7.0 + 1.5 + 4.0));
}

TEST_CASE("A robot that stands on the world itself has the world for its base") {
  const RobotDescription robot = Read(R"(<mujoco><worldbody><body name="a" pos="1 2 3">
    <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="j"/></body></worldbody></mujoco>)");
  CHECK(robot.model.base_name() == "world");
  CHECK(robot.model.link(0).p0 == Eigen::Vector3d(1.0, 2.0, 3.0));
  CHECK(BodyParameters(robot, -1).isZero(0.0));
}

TEST_CASE("Unnamed bodies and joints get names from their numbers") {
  const RobotDescription robot = Read(R"(<mujoco><worldbody><body>
    <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint/></body></worldbody></mujoco>)");
  CHECK(robot.model.link(0).name == "body1");
  CHECK(robot.model.link(0).joint == "joint0");
}

TEST_CASE("Ranges of position and effort are limits, what is not limited is infinite") {
  const RobotDescription robot = Read(R"(<mujoco><compiler angle="radian"/><worldbody>
    <body name="a"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <joint name="limited" range="-1 2" actuatorfrcrange="-30 20"/>
    <body name="b"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="free_turn"/>
    </body></body></worldbody></mujoco>)");
  const JointLimits& limits = robot.model.limits();
  CHECK(limits.lower == Eigen::Vector2d(-1.0, -kInfinity));
  CHECK(limits.upper == Eigen::Vector2d(2.0, kInfinity));
  CHECK(limits.effort == Eigen::Vector2d(20.0, kInfinity));  // the tighter side
  CHECK(limits.velocity == Eigen::Vector2d(kInfinity, kInfinity));
  CHECK(limits.acceleration == Eigen::Vector2d(kInfinity, kInfinity));
}

TEST_CASE("Inertias are read as written, also where MuJoCo would refuse or repair them") {
  const RobotDescription robot = Read(R"(<mujoco><compiler balanceinertia="true"/><worldbody>
    <body name="a"><inertial pos="0.1 0 0" mass="2" diaginertia="1 0.1 0.1"/><joint name="j"/>
    <body name="b"><inertial pos="0 0 0" mass="-1" fullinertia="1 2 -3 0.1 0.2 0.3"/>
      <joint name="k"/></body></body></worldbody></mujoco>)");
  const CentralInertia a = FromStandard(BodyParameters(robot, 0));
  CHECK(a.mass == 2.0);
  CHECK((a.I_com.diagonal() - Eigen::Vector3d(1.0, 0.1, 0.1)).norm() < 1e-15);  // round-off
  CHECK(PhysicalConsistency(BodyParameters(robot, 0)) == Consistency::kInconsistent);
  Eigen::Matrix<double, kInertialCount, 1> b;
  b << -1.0, 0.0, 0.0, 0.0, 1.0, 0.1, 2.0, 0.2, 0.3, -3.0;
  CHECK(BodyParameters(robot, 1) == b);
}

TEST_CASE("Inertias that an MJCF derives from geoms, or states by other angles, are as compiled") {
  const RobotDescription robot = Read(R"(<mujoco><compiler angle="radian"/><worldbody>
    <body name="a"><geom type="sphere" size="0.1" mass="3" pos="0 0 0.5"/><joint name="j"/>
    <body name="b"><inertial pos="0 0 0" mass="1" diaginertia="0.3 0.2 0.1" euler="0 0 1.5707963267948966"/>
      <joint name="k"/></body></body></worldbody></mujoco>)");
  const CentralInertia a = FromStandard(BodyParameters(robot, 0));
  CHECK(a.mass == doctest::Approx(3.0));
  CHECK(a.com.z() == doctest::Approx(0.5));
  CHECK(a.I_com(0, 0) == doctest::Approx(0.4 * 3.0 * 0.01));  // 2/5 m r²
  const CentralInertia b = FromStandard(BodyParameters(robot, 1));
  CHECK(b.I_com(0, 0) == doctest::Approx(0.2));
  CHECK(b.I_com(1, 1) == doctest::Approx(0.3));

  const RobotDescription always = Read(R"(<mujoco><compiler inertiafromgeom="true"/><worldbody>
    <body name="a"><inertial pos="0 0 0" mass="9" diaginertia="1 1 1"/>
      <geom type="sphere" size="0.1" mass="3"/><joint name="j"/></body></worldbody></mujoco>)");
  CHECK(always.pi[ParameterLayout(1).Body(0)] == doctest::Approx(3.0));
}

constexpr std::string_view kArmUrdf = R"(<robot name="arm">
  <link name="foot">
    <inertial><origin xyz="0 0 0.1"/><mass value="5"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.15"/></inertial>
    <visual><geometry><mesh filename="package://arm/foot.dae"/></geometry></visual>
    <collision><geometry><mesh filename="package://arm/foot.stl"/></geometry></collision>
  </link>
  <link name="upper">
    <inertial><origin xyz="0.1 0 0.2"/><mass value="2"/>
      <inertia ixx="1" ixy="0.01" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
  </link>
  <link name="bracket">
    <inertial><mass value="1"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
  </link>
  <link name="hand"/>
  <joint name="shoulder" type="revolute"><parent link="foot"/><child link="upper"/>
    <origin xyz="0 0 0.3"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="2" effort="30" velocity="1.5"/></joint>
  <joint name="weld" type="fixed"><parent link="upper"/><child link="bracket"/>
    <origin xyz="0 0 0.4" rpy="0.5 0 0"/></joint>
  <joint name="wrist" type="prismatic"><parent link="bracket"/><child link="hand"/>
    <origin xyz="0.1 0 0"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="0.1" effort="5" velocity="0.2"/></joint>
</robot>)";

TEST_CASE("A URDF keeps its root's inertia, needs no meshes and no physical inertias") {
  const RobotDescription robot = Read(kArmUrdf, "arm.urdf");
  CHECK(robot.model.base_name() == "foot");
  CHECK(robot.model.joint_names() == std::vector<std::string>{"shoulder", "wrist"});
  CHECK(robot.model.limits().effort == Eigen::Vector2d(30.0, 5.0));
  CHECK(robot.pi[ParameterLayout(2).Body(-1)] == 5.0);
  // The bracket is welded to the upper arm 0.4 m above its frame.
  const Eigen::Matrix<double, kInertialCount, 1> upper = BodyParameters(robot, 0);
  CHECK(upper[0] == 3.0);
  CHECK(upper[1] == doctest::Approx(0.2));
  CHECK(upper[3] == doctest::Approx(2.0 * 0.2 + 1.0 * 0.4));
  CHECK(upper[4] == doctest::Approx(1.0 + 2.0 * 0.04 + 0.01 + 1.0 * 0.16));
  CHECK(BodyParameters(robot, 1).isZero(0.0));  // the hand has no inertia
}

TEST_CASE("Bodies whose inertia no body has are named with the reason, mere frames are not") {
  const RobotDescription robot = Read(R"(<mujoco><worldbody><body name="foot">
    <body name="a"><joint name="j"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/>
      <body name="frame"/>
      <body name="bracket"><inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/></body>
      <body name="b"><joint name="k"/><body name="tool">
        <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>
        <body name="c"><joint name="l"/><body name="tip"/></body></body></body></body></worldbody>
    </mujoco>)");
  std::vector<std::string> unphysical;
  for (const UnphysicalBody& body : robot.unphysical) {
    unphysical.push_back(body.name + ": " + body.reason);
  }
  CHECK(unphysical ==
        std::vector<std::string>{"a: triangle inequality: principal moments 1, 1, 3 kg·m²",
                                 "bracket: mass -1 kg", "c: no mass"});
}

TEST_CASE("Inertias that are no numbers, or would overflow, are refused by name, all at once") {
  const auto link = [](const std::string& name, const std::string& ixx, const std::string& mass) {
    return "<link name=\"" + name + "\"><inertial><mass value=\"" + mass + "\"/><inertia ixx=\"" +
           ixx + "\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>";
  };
  const auto joint = [](const std::string& child, const std::string& parent) {
    return "<joint name=\"" + child + "_turn\" type=\"continuous\"><parent link=\"" + parent +
           "\"/><child link=\"" + child + "\"/><axis xyz=\"0 0 1\"/></joint>";
  };
  const std::string text = "<robot name=\"arm\"><link name=\"base\"/>" + link("a", "nan", "1") +
                           link("b", "1e300", "1") + link("c", "1", "inf") + link("d", "1", "1") +
                           joint("a", "base") + joint("b", "a") + joint("c", "b") +
                           joint("d", "c") + "</robot>";
  std::string message = "none";
  try {
    Read(text, "arm.urdf");
  } catch (const ConfigError& error) {
    message = WithoutFolder(error.what(), error.source());
  }
  const std::string what =
      ": an inertia that is no number or beyond 1e12\n"
      "  accepted here: finite values in kg, m and kg·m²";
  CHECK(message == "arm.urdf: a" + what + "\narm.urdf: b" + what + "\narm.urdf: c" + what);
}

TEST_CASE("With a total mass that is stated, all inertias are as compiled") {
  const RobotDescription robot = Read(R"(<mujoco><compiler settotalmass="6"/><worldbody>
    <body name="a"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="j"/>
    <body name="b"><geom size="0.1" mass="2"/><joint name="k"/></body></body></worldbody></mujoco>)");
  CHECK(BodyParameters(robot, 0)[0] == doctest::Approx(2.0));
  CHECK(BodyParameters(robot, 1)[0] == doctest::Approx(4.0));
}

TEST_CASE("Ball joints are refused by name, all at once; a free joint at the root is held") {
  const std::string cure =
      "\n  accepted here: hinge (revolute) and slide (prismatic) joints; name the joints that move "
      "without it, and it is held\n  or write a ball joint as three hinges";
  CHECK(ModelRefusal(R"(<mujoco><worldbody>
    <body name="a"><freejoint name="floating"/><geom size="0.1"/>
    <body name="b"><joint name="hip" type="ball"/><geom size="0.1"/></body>
    <body name="c"><joint name="shoulder" type="ball"/><geom size="0.1"/></body></body>
    </worldbody></mujoco>)") ==
        "arm.xml: hip: a ball joint" + cure + "\narm.xml: shoulder: a ball joint" + cure);
}

TEST_CASE("A URDF's floating joint is refused by name where it hangs on one that moves") {
  std::string text(kArmUrdf);
  const std::string prismatic = "type=\"prismatic\"";
  text.replace(text.find(prismatic), prismatic.size(), "type=\"floating\"");
  std::string message = "none";
  try {
    Read(text, "arm.urdf");
  } catch (const ConfigError& error) {
    message = WithoutFolder(error.what(), error.source());
  }
  CHECK(message.starts_with("arm.urdf: wrist: a free joint\n  accepted here: hinge (revolute)"));
}

TEST_CASE("A robot without a joint is refused") {
  CHECK(ModelRefusal(R"(<mujoco><worldbody><body name="a"><geom size="0.1"/></body></worldbody>
    </mujoco>)") == "arm.xml: no joint moves\n  a robot needs at least one hinge or slide joint");
}

}  // namespace
}  // namespace idbench
