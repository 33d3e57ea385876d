#include "robots/self_check.h"

#include <doctest/doctest.h>

#include <string>

#include "robots/mujoco_reference_test.h"
#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

// Round-off: some 1e-15 for each joint on the way, at angular velocities of some 10 rad/s.
constexpr double kRoundOff = 1e-12;

TEST_CASE("Every catalogued robot moves as MuJoCo's") {
  for (const std::string& name : RobotNames()) {
    CAPTURE(name);
    const SelfCheckResult result = SelfCheck(LoadRobot(name));
    CHECK(result.max_relative_error < kRoundOff);
    CHECK(result.max_relative_error > 0.0);
    CHECK(result.states == 50);
    CHECK(result.repaired.empty());
  }
}

TEST_CASE("A tree with every trait moves as MuJoCo's, with what the check leaves out") {
  const TemporaryFolder folder;
  std::string text(kOddTree);
  const std::string joint = "<joint name=\"b_slide\"";
  text.replace(text.find(joint), joint.size(),
               "<joint armature=\"0.3\" damping=\"2\" stiffness=\"4\" frictionloss=\"1\" "
               "name=\"b_slide\"");
  const std::string body = "<body name=\"c\"";
  text.replace(text.find(body), body.size(), "<body gravcomp=\"1\" name=\"c\"");
  const Robot robot = LoadRobot(folder.Write("odd.xml", text));
  const SelfCheckResult result = SelfCheck(robot);
  CHECK(result.max_relative_error < kRoundOff);
  CHECK(result.repaired.empty());
}

TEST_CASE("Neither a file without gravity nor a constant mass matrix with rotors misleads it") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("table.xml", R"(<mujoco>
    <option><flag gravity="disable"/></option><worldbody><body name="a">
    <inertial pos="0 0 0" mass="0.01" diaginertia="1e-5 1e-5 1e-5"/>
    <joint name="x" type="slide" axis="1 0 0" armature="0.04"/>
    <joint name="z" type="slide" axis="0 0 1" armature="0.04"/></body></worldbody></mujoco>)"));
  CHECK(robot.model.gravity().isZero(0.0));
  CHECK(SelfCheck(robot).max_relative_error < kRoundOff);
}

TEST_CASE("Where MuJoCo refuses the inertias, repaired ones are compared and named") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("arm.xml", R"(<mujoco><worldbody><body name="foot">
    <inertial pos="0 0 0" mass="3" diaginertia="1 1 -1"/><body name="a">
    <inertial pos="0.1 0 0.2" mass="2" diaginertia="1 0.1 0.1"/><joint name="j" axis="0 1 0"/>
    <body name="b" pos="0 0 1"><joint name="k" axis="1 0 0"/></body></body></body></worldbody>
    </mujoco>)"));
  const SelfCheckResult result = SelfCheck(robot);
  CHECK(result.max_relative_error < kRoundOff);
  CHECK(result.repaired == std::vector<std::string>{"foot", "a", "b"});
}

TEST_CASE("A model that differs from MuJoCo's is found out") {
  Robot robot = LoadRobot("barrett_wam7");
  robot.sets.front().pi[ParameterLayout(7).Body(6)] += 1e-3;
  CHECK(robot.nominal_set == robot.sets.front().name);
  CHECK(SelfCheck(robot).max_relative_error > 1e-6);
  robot.sets.front().pi.setConstant(1e308);
  CHECK(SelfCheck(robot).max_relative_error > 1e300);  // infinite, not NaN
}

}  // namespace
}  // namespace idbench
