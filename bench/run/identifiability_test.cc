#include "bench/run/identifiability.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "robots/robot.h"
#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

/// What equations can show of a robot.
struct Shown {
  Shown(const Robot& robot, const std::vector<PlacedEquation>& equations,
        const std::vector<JointParameter>& joint_parameters)
      : asked(ConsideredParameters(robot.model, equations, joint_parameters)),
        problem{robot.model,
                {},
                BaseParametrisation(robot.model, FindBaseParameters(robot.model, equations, asked)),
                RowsFor(equations),
                {}},
        identifiability(problem, asked) {}

  static std::vector<EquationRows> RowsFor(const std::vector<PlacedEquation>& equations) {
    std::vector<EquationRows> rows;
    for (const auto& [kind, cut, chosen] : equations) {
      rows.push_back({.equation = kind, .cut = cut, .chosen = chosen});
    }
    return rows;
  }
  const ParameterVerdict& Of(const std::string& name) const {
    const auto found = std::ranges::find(identifiability.verdicts(), name, &ParameterVerdict::name);
    if (found == identifiability.verdicts().end()) throw std::out_of_range(name);
    return *found;
  }
  /// Names of the parameters of that kind.
  std::vector<std::string> Names(Identifiable kind) const {
    std::vector<std::string> names;
    for (const ParameterVerdict& verdict : identifiability.verdicts()) {
      if (verdict.kind == kind) names.push_back(verdict.name);
    }
    return names;
  }
  /// Of the base parameter that a parameter leads.
  std::string BestMotionFor(const std::string& name) const {
    const int index = Of(name).index;
    const std::vector<int>& leading = identifiability.base().independent;
    const auto at = std::ranges::find(leading, index);
    if (at == leading.end()) throw std::out_of_range(name);
    const BetterMotion best = identifiability.BestShownBy(static_cast<int>(at - leading.begin()));
    return "it shows most " + best.shown + ": " + best.cure;
  }

  std::vector<int> asked;
  Problem problem;
  Identifiability identifiability;
};

const std::vector<JointParameter> kAllOfJoints = {JointParameter::kViscous,
                                                  JointParameter::kCoulomb, JointParameter::kOffset,
                                                  JointParameter::kRotorInertia};

// A pendulum about y: τ = (Iyy + ia)·q̈ + g·(mcx, mcz)·(…) + fv·q̇ + fc·s(q̇) + fo.
TEST_CASE(
    "Of a pendulum one sees its first moments, its friction, and its inertia with the rotor's") {
  const Shown pendulum(LoadRobot("planar1"), {Equation::kTorque}, kAllOfJoints);
  CHECK(pendulum.identifiability.verdicts().size() == 24);  // 10 of base and link, 4 of the joint
  CHECK(pendulum.Names(Identifiable::kAlone) ==
        std::vector<std::string>{"link1.mcx", "link1.mcz", "joint1.fv", "joint1.fc", "joint1.fo"});
  CHECK(pendulum.Names(Identifiable::kCombination) ==
        std::vector<std::string>{"link1.Iyy", "joint1.ia"});
  CHECK(pendulum.Of("link1.Iyy").in == pendulum.Of("joint1.ia").in);
  CHECK(pendulum.Of("joint1.ia").why.find("in every motion it acts together with link1.Iyy") == 0);
  CHECK(pendulum.Of("joint1.ia").unit == "kg·m²");

  // Nothing stands beside Iyy if nobody asks for the rotor.
  const Shown without(LoadRobot("planar1"), {Equation::kTorque}, {});
  CHECK(without.identifiability.verdicts().size() == 20);
  CHECK(without.Of("link1.Iyy").kind == Identifiable::kAlone);
  CHECK(without.Of("link1.Iyy").why == "");
}

TEST_CASE("What shows a parameter most is what its factor in the torque hangs on") {
  const Shown pendulum(LoadRobot("planar1"), {Equation::kTorque}, kAllOfJoints);
  const std::string speed = "it shows most by joint1's speed: move joint1 faster";
  CHECK(pendulum.BestMotionFor("link1.Iyy") ==
        "it shows most by joint1's acceleration: accelerate joint1 more");
  CHECK(pendulum.BestMotionFor("joint1.fv") == speed);
  CHECK(pendulum.BestMotionFor("joint1.fc") == speed);
  for (const char* name : {"link1.mcx", "link1.mcz", "joint1.fo"}) {
    CAPTURE(name);
    CHECK(pendulum.BestMotionFor(name) == "it shows most at rest: hold more different postures");
  }
}

// A lift z with a turntable θ on it: τ = ((m₁ + m₂)(z̈ + g), Izz₂·θ̈).
TEST_CASE("A link that no row that counts holds has no effect, and neither has its joint") {
  const Shown outer(LoadRobot("planar2"), {PlacedEquation(Equation::kTorque, -1, {1})},
                    kAllOfJoints);
  CHECK(outer.asked.size() == 10 + 4);
  CHECK(outer.Of("link1.mcx").kind == Identifiable::kNo);
  CHECK(outer.Of("link1.mcx").why.starts_with("link1 is in none of the rows that count; a base "));
  CHECK(outer.Of("link2.mcx").kind == Identifiable::kAlone);
  CHECK_THROWS_AS(outer.Of("joint1.fv"), std::out_of_range);  // not asked for
}

TEST_CASE("A lift shows masses together, and its turntable one moment of inertia") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("lift.xml", R"(<mujoco>
  <worldbody><body name="shaft"><inertial pos="0 0 0.5" mass="9" diaginertia="1 1 1"/>
    <body name="cabin"><inertial pos="0.1 0 0" mass="2" diaginertia="0.1 0.1 0.1"/>
      <joint name="lift" type="slide" axis="0 0 1"/>
      <body name="table"><inertial pos="0 0.1 0.2" mass="1" diaginertia="0.1 0.1 0.1"/>
        <joint name="turn" axis="0 0 1"/>
      </body></body></body></worldbody></mujoco>)"));
  const Shown lift(robot, {Equation::kTorque}, {});
  CHECK(lift.Names(Identifiable::kAlone) == std::vector<std::string>{"table.Izz"});
  CHECK(lift.Names(Identifiable::kCombination) == std::vector<std::string>{"cabin.m", "table.m"});
  CHECK(lift.Of("table.m").why.find("in every motion it acts together with cabin.m") == 0);
  const auto why = [&](const char* name) {
    CHECK(lift.Of(name).in.empty());
    const std::string& text = lift.Of(name).why;
    return text.substr(0, text.find(';'));
  };
  CHECK(why("cabin.mcx") ==
        "neither speed nor height of cabin depends on its centre of mass along the x axis of its "
        "frame");
  CHECK(why("cabin.Izz") == "cabin never turns about the z axis of its frame");
  CHECK(why("table.mcy") ==
        "neither speed nor height of table depends on its centre of mass along the y axis of its "
        "frame");
  CHECK(why("table.Ixz") == "table never turns about the x axis of its frame");
  CHECK(why("shaft.m") == "shaft stands still");
  // A table that turns shakes the ground unless its centre is on the axis; where on it, or how far
  // up, no force tells.
  CHECK(lift.Of("table.mcy").why.ends_with("; a base force/moment sensor would show it alone"));
  CHECK(
      lift.Of("table.mcz").why.ends_with("; a base force/moment sensor would not show it either"));
  CHECK(lift.BestMotionFor("cabin.m") ==
        "it shows most by lift's acceleration: accelerate lift more");
}

TEST_CASE("Where the base wrench is measured, nobody is sent for its sensor") {
  const Robot robot = LoadRobot("planar2");
  const Shown both(robot, {Equation::kTorque, Equation::kWrench}, kAllOfJoints);
  for (const ParameterVerdict& verdict : both.identifiability.verdicts()) {
    CAPTURE(verdict.name);
    CHECK(verdict.why.find("sensor") == std::string::npos);
  }
  CHECK(both.Of("link2.Ixy").kind == Identifiable::kAlone);
  // The ground feels no friction that links have between each other.
  std::vector<int> asked = both.asked;
  Problem wrench_alone = both.problem;
  wrench_alone.rows = {{Equation::kWrench}};
  const Identifiability ground(wrench_alone, asked);
  const auto friction = std::ranges::find(ground.verdicts(), "joint1.fv", &ParameterVerdict::name);
  REQUIRE(friction != ground.verdicts().end());
  CHECK(friction->kind == Identifiable::kNo);
  CHECK(friction->why == "nothing in the equations depends on it");
}

TEST_CASE("A link that only carries a second joint of its body has no verdicts") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("ball.xml", R"(<mujoco>
  <worldbody><body name="stand"><inertial pos="0 0 0.5" mass="9" diaginertia="1 1 1"/>
    <body name="head"><inertial pos="0.1 0 0.2" mass="2" diaginertia="0.1 0.1 0.1"/>
      <joint name="pan" axis="0 0 1"/><joint name="tilt" axis="0 1 0"/>
    </body></body></worldbody></mujoco>)"));
  REQUIRE(robot.model.dofs() == 2);
  const Shown head(robot, {Equation::kTorque}, {});
  CHECK(head.identifiability.verdicts().size() == 20);  // stand and head
  // All of a body that turns about two axes, but products and the centre off the second one.
  CHECK(head.Of("head.mcx").kind == Identifiable::kAlone);
  CHECK(head.Of("head.m").why.find("the origin of head's frame stays where it is") == 0);
}

}  // namespace
}  // namespace idbench
