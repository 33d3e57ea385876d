#include "sim/truth/cable.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "robots/robot.h"
#include "scenarios/options/json.h"
#include "sim/mujoco_robot.h"
#include "sim/rollout.h"
#include "sim/truth/compile_truth.h"
#include "sim/truth/true_dynamics.h"
#include "sim/two_link_test.h"

namespace idbench {
namespace {

/// planar2 with a sensor "ft" between its links, which has an offset of its own.
struct CabledArm {
  Robot robot = LoadRobot("planar2");

  CabledArm() { robot.model.SetCuts({{.name = "ft", .link = 1, .link_beyond = true}}); }

  TrueRobot With(const std::vector<CableOptions>& cables) const {
    TrueJointOptions joints;
    joints.mismatch.cables = cables;
    return CompileTruth(robot, robot.FindSet("")->pi, {}, joints);
  }
};

std::vector<CableOptions> ElbowCables() {
  return {
      CableTorqueOptions{.joint = "joint2", .stiffness_nm_rad = 0.1, .rest_rad = 1.0},
      CableWrenchOptions{.sensor = "ft",
                         .component = "Fz",
                         .amplitude_n_nm = 0.4,
                         .angle = {{"joint1", 1.5}, {"joint2", 1.0}},
                         .phase_rad = std::acos(0.0)},
      CableWrenchOptions{
          .sensor = "ft", .component = "My", .amplitude_n_nm = 0.03, .angle = {{"joint2", 2.0}}}};
}

TEST_CASE("A replay has the cables' torque on their joints, and the sensor reads their wrench") {
  const CabledArm arm;
  const TwoLinkMotion motion(0.5);
  const RequestedSources wrench =
      SourcesOf(std::array<std::string_view, 2>{"wrench/ft", kBaseWrench});
  const Signals plain = ReplayExactly(arm.With({}), motion, 200.0, wrench);
  const Signals cabled = ReplayExactly(arm.With(ElbowCables()), motion, 200.0, wrench);
  for (Eigen::Index i = 0; i < plain.time_s.size(); ++i) {
    const Eigen::RowVector2d q = plain[kJointPosition].row(i);
    const Eigen::RowVector2d tau(0.0, 0.1 * (q[1] - 1.0));
    Eigen::RowVectorXd read = Eigen::RowVectorXd::Zero(6);
    read[2] = 0.4 * std::cos(1.5 * q[0] + q[1]);
    read[4] = 0.03 * std::sin(2.0 * q[1]);
    // Rounding of some 100 N·m.
    CHECK((cabled[kJointTorque].row(i) - plain[kJointTorque].row(i) - tau).norm() < 1e-13);
    CHECK((cabled["wrench/ft"].row(i) - plain["wrench/ft"].row(i) - read).norm() < 1e-13);
  }
  // A cable is a thing between parts of the robot: the ground bears nothing of it.
  CHECK(cabled[kBaseWrench] == plain[kBaseWrench]);
}

TEST_CASE("A simulated joint swings about the rest of its cable, as a spring has it") {
  const TrueRobot robot(CompileMjcf(R"(<mujoco><worldbody><body>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="hinge"/></body></worldbody>
      </mujoco>)"),
                        {"hinge"}, TrueFriction::None(1), {},
                        {.cables = {{.joint = 0, .stiffness = 4.0, .rest = 1.0}}});
  MujocoRobot plant(robot);
  TrueSample sample{0.0, JointState::Zero(1), Eigen::VectorXd::Zero(1)};
  plant.Reset(Eigen::VectorXd::Constant(1, 0.8), Eigen::VectorXd::Zero(1));
  for (int k = 0; k < 8000; ++k) {
    plant.Step(Eigen::VectorXd::Zero(1), sample);
    // ω = √(k/I) = 2 rad/s; a semi-implicit step leads by half of one, h·ω/2 of the amplitude.
    CHECK(std::abs(sample.state.q(0) - (1.0 - 0.2 * std::cos(2.0 * sample.t))) < 1e-4);
    CHECK(std::abs(sample.state.qdd(0) + 4.0 * (sample.state.q(0) - 1.0)) < 1e-13);
  }
}

TEST_CASE("Cables are declared in a list, each of its type") {
  const char* const text = R"({"cables": [
      {"type": "torque", "joint": "joint2", "stiffness_nm_rad": 0.1, "rest_rad": 1},
      {"type": "wrench", "sensor": "ft", "component": "Fz", "amplitude_n_nm": 0.4,
       "angle": {"joint1": 1.5, "joint2": 1}, "phase_rad": 0},
      {"type": "wrench", "sensor": "ft", "component": "My", "amplitude_n_nm": 0.03,
       "angle": {"joint2": 2}}]})";
  MismatchOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), Json::parse(text), "", issues);
  REQUIRE(issues.empty());
  std::vector<CableOptions> expected = ElbowCables();
  std::get<CableWrenchOptions>(expected[1]).phase_rad = 0.0;
  CHECK(options.cables == expected);
  MismatchOptions again;
  ReadFields(Visit(again), WriteValue(options), "", issues);
  CHECK(issues.empty());
  CHECK(again == options);
}

TEST_CASE("A robot cannot be compiled with a cable that it has no place for") {
  CHECK_THROWS_WITH_AS(
      CabledArm().With({CableTorqueOptions{.joint = "joint3", .stiffness_nm_rad = 1.0}}),
      "cables: /0/joint: the robot has no joint \"joint3\"\n"
      "  accepted here: joint1, joint2\n  did you mean 'joint1'?",
      std::invalid_argument);
}

}  // namespace
}  // namespace idbench
