#include "sim/truth/cable.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "robots/plant/plant_error.h"
#include "robots/robot.h"
#include "scenarios/options/json.h"
#include "sim/friction_step.h"
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

TEST_CASE("A cable too stiff for the step is refused with the step that does") {
  const TrueRobot robot(CompileMjcf(R"(<mujoco><worldbody><body>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="hinge"/></body></worldbody>
      </mujoco>)"),
                        {"hinge"}, TrueFriction::None(1), {},
                        {.cables = {{.joint = 0, .stiffness = 1e8, .rest = 1.0}}});
  class Rest : public Motion {
   public:
    double duration_s() const override { return 1.0; }
    void Evaluate(double, JointState& desired) const override { desired = JointState::Zero(1); }
    void Describe(CanonicalText& text) const override { text.Add("kind", "rest"); }
  };
  CHECK_THROWS_WITH_AS(
      CheckFrictionStep(robot, Rest()),
      "the cable at joint 'hinge' is too stiff: timestep_s is 0.00025 s, at most 0.0001 s does; or "
      "take a smaller stiffness_nm_rad, or give the joint its rotor inertia",
      PlantError);
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

TEST_CASE("Cables that cannot be are refused") {
  const auto message = [](const std::string& cable) -> std::string {
    MismatchOptions options;
    std::vector<Issue> issues;
    ReadFields(Visit(options), Json::parse(R"({"cables": [)" + cable + "]}"), "", issues);
    if (issues.empty())
      issues = CheckCables(options.cables, "/cables", {"joint1", "joint2"}, {"ft"});
    return ConfigError("s.json", issues).what();
  };
  CHECK(message(R"({"joint": "joint2", "stiffness_nm_rad": -0.1})") ==
        "s.json: /cables/0/stiffness_nm_rad: got -0.1\n"
        "  accepted here: a number, at least 0 [N·m/rad]");
  CHECK(message(R"({"joint": "jiont2", "stiffness_nm_rad": 0.1})") ==
        "s.json: /cables/0/joint: the robot has no joint \"jiont2\"\n"
        "  accepted here: joint1, joint2\n  did you mean 'joint2'?");
  CHECK(message(R"({"type": "wrench", "sensor": "ft", "angle": {"elbow": 1}})") ==
        "s.json: /cables/0/angle/elbow: the robot has no joint \"elbow\"\n"
        "  accepted here: joint1, joint2");
  CHECK(message(R"({"type": "wrench", "sensor": "tf", "angle": {"joint1": 1}})") ==
        "s.json: /cables/0/sensor: the robot has no force/torque sensor \"tf\"\n"
        "  accepted here: ft\n  did you mean 'ft'?");
  CHECK(message(R"({"type": "wrench", "sensor": "ft", "angle": {}})") ==
        "s.json: /cables/0/angle: names no joint, and what does not depend on the pose is an "
        "offset\n  give the factor of at least one joint");
  CHECK(message(R"({"type": "wrench", "sensor": "ft", "component": "fx", "amplitude_n_nm": -1,
                    "angle": {"joint1": 1}})") ==
        "s.json: /cables/0/component: got \"fx\"\n"
        "  accepted here: Fx, Fy, Fz, Mx, My, Mz\n"
        "  did you mean 'Fx'?\n"
        "s.json: /cables/0/amplitude_n_nm: got -1\n"
        "  accepted here: a number, at least 0 [N, N·m]");
  const std::vector<Issue> none =
      CheckCables({CableWrenchOptions{.sensor = "ft"}}, "/cables", {"joint1"}, {});
  REQUIRE(none.size() == 1);
  CHECK(none[0].details ==
        std::vector<std::string>{"declare its place in /robot/force_torque_sensors"});
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
