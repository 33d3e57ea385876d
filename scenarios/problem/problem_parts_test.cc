#include "scenarios/problem/problem_parts.h"

#include <doctest/doctest.h>

#include "robots/dynamics/parameters.h"
#include "robots/robot.h"

namespace idbench {
namespace {

RobotModel CoupledArm() { return LoadRobot("icub_right_arm").model; }

TEST_CASE("A coupled motor follows from joints that have rows, and from no fewer") {
  const RobotModel model = CoupledArm();
  const auto motors = [&model](std::vector<int> joints) {
    return MotorsOfDutyCycles(model, {{Equation::kPwmDrive, -1, std::move(joints)}}).motors;
  };
  // u₀ = τ₀ + τ₁, u₁ = (τ₁ − τ₂)/r, u₂ = τ₂/r: from τ = Tᵀu with T of Traversaro et al. 2013, (8).
  CHECK(motors({}) == std::vector<int>{0, 1, 2, 3, 4, 5});
  CHECK(motors({0, 1, 2, 3}) == std::vector<int>{0, 1, 2, 3});
  CHECK(motors({0, 1}) == std::vector<int>{0});
  CHECK(motors({1, 2}) == std::vector<int>{1, 2});
  CHECK(motors({2, 5}) == std::vector<int>{2, 5});
  CHECK(motors({0}).empty());
  constexpr double kRatio = 1.625;
  const MotorsFromJoints shoulder =
      MotorsOfDutyCycles(model, {{Equation::kPwmDrive, -1, {0, 1, 2}}});
  const Eigen::MatrixXd expected{
      {1, 1, 0, 0, 0, 0}, {0, 1 / kRatio, -1 / kRatio, 0, 0, 0}, {0, 0, 1 / kRatio, 0, 0, 0}};
  CHECK((shoulder.from_joints - expected).norm() < 1e-14);  // rounding of a 6 × 6 solution
}

TEST_CASE("No motor follows from other equations, or from joints that one torque of motors moves") {
  RobotModel model = CoupledArm();
  CHECK(MotorsOfDutyCycles(model, {Equation::kTorque, Equation::kCurrentDrive}).motors.empty());
  Actuation actuation = model.actuation();
  actuation.B.col(1) = actuation.B.col(0);
  model.SetActuation(actuation);
  CHECK(MotorsOfDutyCycles(model, {Equation::kPwmDrive}).motors.empty());
  actuation.names.pop_back();
  actuation.B.conservativeResize(Eigen::NoChange, 5);
  model.SetActuation(actuation);
  CHECK(MotorsOfDutyCycles(model, {Equation::kPwmDrive}).motors.empty());
}

TEST_CASE("Each sensor counts once, whichever of its rows an equation has") {
  const std::vector<PlacedEquation> equations = {{Equation::kCut, 2, {0, 1, 2}},
                                                 Equation::kTorque,
                                                 {Equation::kCut, 2, {3}},
                                                 {Equation::kCut, 0}};
  CHECK(CutsOf(equations) == std::vector<int>{0, 2});
  CHECK(CutsOf({Equation::kTorque}).empty());
}

TEST_CASE("Scores compare the channels of wrenches and duty cycles, each once") {
  ProblemOptions problem;
  CHECK(ScoredChannels(problem).empty());
  problem.equations = {{.type = Equation::kTorque},
                       {.type = Equation::kPwmDrive},
                       {.type = Equation::kCut, .mount = "arm", .components = "Fx"},
                       {.type = Equation::kCut, .mount = "arm", .components = "Mx"},
                       {.type = Equation::kCurrentDrive}};
  CHECK(ScoredChannels(problem) == std::vector<std::string>{"motor_pwm", "wrench/arm"});
}

TEST_CASE("A gain is called after its motor, and after the configuration that has it of its own") {
  RobotModel model = LoadRobot("planar2").model;
  const auto gain = [](const char* name) {
    Term term{.name = name, .unit = "1", .argument = TermArgument::kInput};
    term.shape = TermShape::kLinear;
    term.shares = {{0, -1.0}};
    term.rows = TermRows::kDrives;
    term.input = 0;
    return term;
  };
  Term friction{.name = "joint1.f+", .unit = "N·m"};
  friction.shape = TermShape::kPositiveSign;
  friction.shares = {{0, 1.0}};
  model.SetTerms({gain("joint1.gain"), friction, gain("joint1.gain@later")});
  const int first = ParameterLayout(model).size() - 3;
  CHECK(DriveGainsAmong(model, {0, first - 1, first, first + 1, first + 2}) ==
        std::vector<int>{first, first + 2});
  CHECK(DriveGainsAmong(model, {first + 1}).empty());
  CHECK(MotorOfGain(model, first) == "joint1");
  CHECK(MotorOfGain(model, first + 2) == "joint1@later");
}

}  // namespace
}  // namespace idbench
