#include "sim/truth/true_robot.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "sim/two_link_test.h"

namespace idbench {
namespace {

TrueRobot RobotWith(std::vector<std::string> joints, const TrueFriction& friction,
                    const std::string& mjcf = TwoLinkMjcf()) {
  return TrueRobot(CompileMjcf(mjcf), std::move(joints), friction, {});
}

TEST_CASE("Friction is viscous, Coulomb of the stated width, and offset") {
  const TrueRobot robot = TwoLink({.coulomb_width_rad_s = 0.02});
  CHECK(robot.FrictionTorque(0, 0.0, 1.0) == 0.3);
  // The same formula: rounding only.
  CHECK(robot.FrictionTorque(0, 0.02, 1.0) ==
        doctest::Approx(0.6 * 0.02 + 1.0 * std::tanh(1.0) + 0.3).epsilon(1e-15));
  CHECK(robot.FrictionTorque(1, -5.0, 1.0) ==
        doctest::Approx(-0.4 * 5.0 - 0.5 - 0.2).epsilon(1e-15));
}

TEST_CASE("Joints keep the order in which they are named") {
  const TrueRobot robot = RobotWith({"joint2", "joint1"}, TrueFriction::None(2));
  CHECK(robot.dof_address(0) == 1);
  CHECK(robot.qpos_address(1) == 0);
  CHECK(robot.JointAt(0) == "joint1");
  CHECK(robot.upper(0) == 2.5);
  CHECK(robot.lower(1) == -2.8);
}

TEST_CASE("A joint without a range is not limited") {
  const TrueRobot robot = RobotWith({"hinge"}, TrueFriction::None(1),
                                    R"(<mujoco><worldbody><body><inertial pos="0 0 0" mass="1"
                               diaginertia="1 1 1"/><joint name="hinge"/></body></worldbody></mujoco>)");
  CHECK(robot.lower(0) == -std::numeric_limits<double>::infinity());
  CHECK(robot.upper(0) == std::numeric_limits<double>::infinity());
}

TEST_CASE("A joint that the model does not have is refused with those that it has") {
  CHECK_THROWS_WITH_AS(RobotWith({"joint1", "elbow"}, TrueFriction::None(2)),
                       "TrueRobot: the MuJoCo model has no joint 'elbow', but joint1, joint2",
                       std::invalid_argument);
}

TEST_CASE("A joint of the model that is not named is refused") {
  CHECK_THROWS_WITH_AS(RobotWith({"joint1"}, TrueFriction::None(1)),
                       "TrueRobot: 1 joints are named, but the MuJoCo model has 2: joint1, joint2",
                       std::invalid_argument);
}

TEST_CASE("A joint that is neither hinge nor slide is refused") {
  CHECK_THROWS_WITH_AS(RobotWith({"ball"}, TrueFriction::None(1),
                                 R"(<mujoco><worldbody><body><inertial pos="0 0 0" mass="1"
                            diaginertia="1 1 1"/><joint name="ball" type="ball"/></body></worldbody>
                            </mujoco>)"),
                       "TrueRobot: joint 'ball' is neither hinge nor slide", std::invalid_argument);
}

TEST_CASE("Friction of another size is refused") {
  TrueFriction friction = TrueFriction::None(2);
  friction.coulomb.resize(3);
  CHECK_THROWS_WITH_AS(
      RobotWith({"joint1", "joint2"}, friction),
      "TrueRobot: coulomb friction has 3 entries, expected one for each of 2 joints",
      std::invalid_argument);
}

TEST_CASE("Stribeck friction of another size is refused") {
  TrueFriction friction = TrueFriction::None(2);
  friction.stribeck_velocity.resize(1);
  CHECK_THROWS_WITH_AS(
      RobotWith({"joint1", "joint2"}, friction),
      "TrueRobot: stribeck friction has 1 entries, expected one for each of 2 joints",
      std::invalid_argument);
}

TEST_CASE("An unknown integrator is refused") {
  CHECK_THROWS_WITH_AS(TwoLink({.integrator = "euler"}), "TrueRobot: unknown integrator 'euler'",
                       std::invalid_argument);
}

}  // namespace
}  // namespace idbench
