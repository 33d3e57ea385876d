#include "robots/collision_spheres.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "robots/dynamics/kinematics.h"
#include "robots/robot.h"
#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

Robot RobotIn(const std::string& text, const char* name = "arm.xml") {
  const TemporaryFolder folder;
  return LoadRobot(folder.Write(name, text));
}

/// A hinge on a base with these geoms on its body.
Robot WithGeoms(const std::string& geoms, const std::string& top = "") {
  return RobotIn("<mujoco><compiler angle=\"radian\"/>" + top +
                 "<worldbody><geom type=\"plane\" size=\"5 5 0.1\"/><body name=\"base\"><body "
                 "name=\"arm\"><inertial pos=\"0 0 0.1\" mass=\"1\" diaginertia=\"1 1 1\"/><joint "
                 "name=\"a\"/>" +
                 geoms + "</body></body></worldbody></mujoco>");
}

const std::vector<CollisionSphere>& SpheresOf(const Robot& robot) {
  return robot.model.collision().spheres;
}

/// Whether a point of the robot's only link is inside of some sphere.
bool Covered(const Robot& robot, const Eigen::Vector3d& p) {
  for (const CollisionSphere& sphere : SpheresOf(robot)) {
    if ((sphere.p_LC_L - p).norm() <= sphere.radius_m + 1e-12) return true;  // round-off
  }
  return false;
}

TEST_CASE("A sphere is itself, where frames, angles and bodies that are fused put it") {
  const Robot robot = WithGeoms(
      R"(<geom size="0.04" pos="0.1 0.2 0.3"/>
         <frame pos="0 0 1" euler="0 0 1.5707963267948966"><geom size="0.05" pos="0.1 0 0"/></frame>
         <body name="tool" pos="0 0 2"><geom size="0.06" pos="0 0 0.5"/></body>)");
  CHECK(robot.collision_origin == CollisionOrigin::kGeoms);
  CHECK(robot.collision_geoms == 3);  // the plane is the world's
  REQUIRE(SpheresOf(robot).size() == 3);
  const CollisionSphere& first = SpheresOf(robot)[0];
  CHECK(first.name == "arm");
  CHECK(first.link == 0);
  CHECK(first.p_LC_L == Eigen::Vector3d(0.1, 0.2, 0.3));
  CHECK(first.radius_m == 0.04);
  CHECK(SpheresOf(robot)[1].name == "arm#2");
  CHECK((SpheresOf(robot)[1].p_LC_L - Eigen::Vector3d(0.0, 0.1, 1.0)).norm() < 1e-15);
  CHECK(SpheresOf(robot)[2].name == "tool");
  CHECK(SpheresOf(robot)[2].link == 0);
  CHECK((SpheresOf(robot)[2].p_LC_L - Eigen::Vector3d(0.0, 0.0, 2.5)).norm() < 1e-15);
  CHECK(robot.model.collision().above_floor == std::vector<int>{0, 1, 2});
}

TEST_CASE("A capsule is a row of its own radius that touches, a long one of greater spheres") {
  const Robot robot = WithGeoms(R"(<geom type="capsule" size="0.1" fromto="0 0 0 0.4 0 0"/>)");
  REQUIRE(SpheresOf(robot).size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto x = 0.2 * static_cast<double>(k);
    CHECK((SpheresOf(robot)[k].p_LC_L - Eigen::Vector3d(x, 0.0, 0.0)).norm() < 1e-15);
    CHECK(SpheresOf(robot)[k].radius_m == 0.1);
  }
  const Robot rod = WithGeoms(R"(<geom type="capsule" size="0.01 0.5"/>)");
  REQUIRE(SpheresOf(rod).size() == kMostSpheres);
  CHECK(SpheresOf(rod)[0].radius_m == doctest::Approx(0.1));  // five gaps in 1 m
  CHECK(SpheresOf(rod)[5].p_LC_L.z() == doctest::Approx(0.5));
}

TEST_CASE("Cylinders, boxes, ellipsoids and meshes are covered, corners included") {
  struct Case {
    const char* geom;
    std::size_t count;
    Eigen::Vector3d half;  ///< Of its bounding box.
  };
  // The mesh: a tetrahedron in a box of 0.2 × 0.6 × 0.1 m around (0.1, 0.3, 0.05).
  const std::string mesh =
      R"(<asset><mesh name="m" vertex="0 0 0  0.2 0 0  0 0.6 0  0 0 0.1"/></asset>)";
  for (const Case& each :
       {Case{R"(<geom type="cylinder" size="0.1 0.25"/>)", 3, {0.07, 0.07, 0.25}},
        Case{R"(<geom type="box" size="0.03 0.4 0.04"/>)", 6, {0.03, 0.4, 0.04}},
        Case{R"(<geom type="box" size="0.1 0.1 0.1"/>)", 1, {0.1, 0.1, 0.1}},
        Case{R"(<geom type="ellipsoid" size="0.3 0.1 0.1"/>)", 3, {0.3, 0.1, 0.1}}}) {
    CAPTURE(each.geom);
    const Robot robot = WithGeoms(each.geom);
    CHECK(SpheresOf(robot).size() == each.count);
    for (int corner = 0; corner < 8; ++corner) {
      const Eigen::Vector3d sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
      for (const double along : {0.0, 0.3, 1.0}) {
        Eigen::Vector3d p = each.half.cwiseProduct(sign);
        Eigen::Index longest = 0;
        each.half.maxCoeff(&longest);
        p[longest] *= along;
        CHECK(Covered(robot, p));
      }
    }
  }
  const Robot solid = WithGeoms(R"(<geom type="mesh" mesh="m" pos="1 0 0"/>)", mesh);
  CHECK(solid.collision_origin == CollisionOrigin::kGeoms);
  for (const Eigen::Vector3d& vertex : {Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(1.2, 0, 0),
                                        Eigen::Vector3d(1, 0.6, 0), Eigen::Vector3d(1, 0, 0.1)}) {
    CHECK(Covered(solid, vertex));
  }
  CHECK(SpheresOf(solid).size() <= kMostSpheres);
  CHECK_FALSE(Covered(solid, {1.0, -0.5, 0.0}));
}

TEST_CASE("A body has about six spheres, however many geoms; what is only seen does not count") {
  std::string many;
  for (int k = 0; k < 9; ++k) {
    many += "<geom size=\"0.02\" pos=\"" + std::to_string(0.1 * k) + " 0 0\"/>";
  }
  const Robot robot = WithGeoms(many);
  CHECK(SpheresOf(robot).size() == kMostSpheres);
  for (int k = 0; k < 9; ++k) CHECK(Covered(robot, {0.1 * k, 0.02, 0.0}));
  const Robot seen = WithGeoms(
      R"(<geom size="0.3" contype="0" conaffinity="0"/><geom size="0.1" pos="0 0 0.5"/>)");
  REQUIRE(SpheresOf(seen).size() == 1);
  CHECK(SpheresOf(seen)[0].radius_m == 0.1);
}

std::string ThreeLinks(const std::string& shape) {
  std::string urdf = "<robot name=\"arm\"><link name=\"base\"/>";
  std::string parent = "base";
  for (const std::string name : {"one", "two", "three"}) {
    urdf += "<link name=\"" + name +
            R"("><inertial><origin xyz="0 0 0.15"/><mass value="1"/><inertia ixx="1" iyy="1"
               izz="1" ixy="0" ixz="0" iyz="0"/></inertial>)" +
            shape + "</link><joint name=\"to_" + name + "\" type=\"revolute\"><parent link=\"" +
            parent + "\"/><child link=\"" + name +
            R"("/><origin xyz="0 0 0.3"/><axis xyz="0 1 0"/>
               <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>)";
    parent = name;
  }
  return urdf + "</robot>";
}

TEST_CASE("Without geoms, spheres stand along the lines from joint to joint") {
  for (const char* shape :
       {"", R"(<collision><geometry><mesh filename="nowhere.stl"/></geometry></collision>)"}) {
    CAPTURE(shape);
    const Robot robot = RobotIn(ThreeLinks(shape), "arm.urdf");
    CHECK(robot.collision_origin == CollisionOrigin::kLinkSegments);
    CHECK(robot.collision_geoms == 0);
    // Lines of 0.3 m on base, one and two: four spheres of 5 cm; of 0.15 m on three: three.
    REQUIRE(SpheresOf(robot).size() == 15);
    CHECK(SpheresOf(robot)[0].name == "base");
    CHECK(SpheresOf(robot)[0].link == -1);
    CHECK(SpheresOf(robot)[3].name == "base#4");
    CHECK((SpheresOf(robot)[3].p_LC_L - Eigen::Vector3d(0.0, 0.0, 0.3)).norm() < 1e-15);
    CHECK(SpheresOf(robot)[3].radius_m == doctest::Approx(0.05));
    CHECK(SpheresOf(robot)[14].name == "three#3");
    CHECK(SpheresOf(robot)[14].p_LC_L.z() == doctest::Approx(0.15));
    for (const auto& [one, other] : robot.model.collision().pairs) {
      const int a = SpheresOf(robot)[static_cast<std::size_t>(one)].link;
      const int b = SpheresOf(robot)[static_cast<std::size_t>(other)].link;
      CHECK(b - a >= 2);  // of a chain
    }
    CHECK(robot.model.collision().above_floor.size() == 11);
  }
}

TEST_CASE("A URDF's shapes count, those of collision before those that are seen") {
  const Robot robot =
      RobotIn(ThreeLinks(R"(<visual><geometry><sphere radius="0.2"/></geometry></visual>
              <collision><origin xyz="0 0 0.1"/><geometry><sphere radius="0.07"/></geometry></collision>)"),
              "arm.urdf");
  REQUIRE(SpheresOf(robot).size() == 3);
  for (const CollisionSphere& sphere : SpheresOf(robot)) {
    CHECK(sphere.radius_m == 0.07);
    CHECK((sphere.p_LC_L - Eigen::Vector3d(0.0, 0.0, 0.1)).norm() < 1e-15);
  }
}

/// Names of the default pairs.
std::vector<std::string> PairNames(const Robot& robot) {
  std::vector<std::string> names;
  for (const auto& [one, other] : robot.model.collision().pairs) {
    names.push_back(SpheresOf(robot)[static_cast<std::size_t>(one)].name + " " +
                    SpheresOf(robot)[static_cast<std::size_t>(other)].name);
  }
  return names;
}

TEST_CASE("Pairs pass through links without length and leave out parents and what overlaps") {
  // base ─ a ─ b (no length, on a) ─ c ─ d; each with a sphere
  const std::string geom = R"(<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>)";
  const auto arm = [&](const std::string& last, const std::string& range = "") {
    return RobotIn(
        "<mujoco><compiler angle=\"radian\"/><worldbody><body name=\"base\">" + geom +
        R"(<geom size="0.05"/><body name="a" pos="0 0 0.5">)" + geom +
        R"(<geom size="0.05"/><joint name="ja"/><body name="b">)" + geom +
        R"(<geom size="0.05"/><joint name="jb" axis="0 1 0"/><body name="c" pos="0 0 0.5">)" +
        geom + R"(<geom size="0.05"/><joint name="jc" axis="0 1 0" )" + range +
        R"(/><body name="d" pos="0 0 )" + last + "\">" + geom +
        R"(<geom size="0.05"/><joint name="jd"/></body></body></body></body></body>
                   </worldbody></mujoco>)");
  };
  // Straight up: c is a child of a and b, d is not.
  CHECK(PairNames(arm("0.5")) == std::vector<std::string>{"base c", "base d", "a d", "b d"});
  // Bent back at q = 0, d would lie on a; it does so for good.
  CHECK(PairNames(arm("-0.45")) == std::vector<std::string>{"base c", "base d"});
  // Amid its range the elbow is at π, so that it is apart there again.
  CHECK(PairNames(arm("-0.45", R"(limited="true" range="3.0 3.2831853")")) ==
        std::vector<std::string>{"base c", "base d", "a d", "b d"});
}

TEST_CASE("All robots of the catalogue have spheres, and default pairs that are apart amid range") {
  for (const std::string& name : RobotNames()) {
    CAPTURE(name);
    const Robot robot = LoadRobot(name);
    const RobotModel& model = robot.model;
    CHECK_FALSE(SpheresOf(robot).empty());
    CHECK((robot.collision_origin == CollisionOrigin::kRobotFile) == (name == "kuka_lwr4_mdh"));
    Eigen::VectorXd q = (model.limits().lower + model.limits().upper) / 2.0;
    for (double& each : q) each = std::isfinite(each) ? each : 0.0;
    const std::vector<Pose> poses = ForwardKinematics(model, q);
    const auto centre = [&](int k) {
      const CollisionSphere& sphere = SpheresOf(robot)[static_cast<std::size_t>(k)];
      return PoseOf({.link = sphere.link, .p_LF_L = sphere.p_LC_L}, poses).p_BL_B;
    };
    for (const auto& [one, other] : DefaultPairs(model, SpheresOf(robot))) {
      const double reach = SpheresOf(robot)[static_cast<std::size_t>(one)].radius_m +
                           SpheresOf(robot)[static_cast<std::size_t>(other)].radius_m;
      CHECK((centre(one) - centre(other)).norm() > reach);
    }
  }
  for (const char* arm : {"kuka_lwr4", "franka_panda", "ur10", "puma560", "barrett_wam7"}) {
    CAPTURE(arm);
    CHECK_FALSE(LoadRobot(arm).model.collision().pairs.empty());
  }
}

}  // namespace
}  // namespace idbench
