#include "sim/truth/mismatch.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "robots/plant/plant_error.h"
#include "scenarios/options/json.h"
#include "sim/friction_step.h"
#include "sim/mujoco_robot.h"
#include "sim/rollout.h"
#include "sim/truth/true_dynamics.h"
#include "sim/two_link_test.h"

namespace idbench {
namespace {

TrueRobot With(const MismatchOptions& mismatch, const MujocoPlantOptions& options = {}) {
  return TrueRobot(CompileMjcf(TwoLinkMjcf()), {"joint1", "joint2"}, TwoLinkFriction(), options,
                   {.mismatch = mismatch});
}

/// A turntable without gravity, friction or limits: 1 kg·m².
TrueRobot Turntable(const MismatchOptions& mismatch) {
  return TrueRobot(CompileMjcf(R"(<mujoco><worldbody><body>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="hinge"/></body></worldbody>
      </mujoco>)"),
                   {"hinge"}, TrueFriction::None(1), {}, {.mismatch = mismatch});
}

/// Steps with the torques τ(t) from q̇ = 0.
std::vector<TrueSample> Drive(const TrueRobot& robot, int steps,
                              const std::function<double(double)>& tau) {
  MujocoRobot plant(robot);
  const int n = robot.dofs();
  TrueSample sample{0.0, JointState::Zero(n), Eigen::VectorXd::Zero(n)};
  std::vector<TrueSample> samples;
  plant.Reset(Eigen::VectorXd::Zero(n), Eigen::VectorXd::Zero(n));
  for (int k = 0; k < steps; ++k) {
    plant.Step(Eigen::VectorXd::Constant(n, tau(k * plant.step_s())), sample);
    samples.push_back(sample);
  }
  return samples;
}

double SineTorque(double t) { return 5.0 * std::sin(7.0 * t); }

MismatchOptions Lugre(double static_nm) {
  return {.lugre = LugreOptions{.stiffness_nm_rad = {{2000.0}},
                                .damping_nms_rad = {{60.0}},
                                .coulomb_nm = {{0.8 * static_nm}},
                                .static_nm = {{static_nm}}}};
}

TEST_CASE("Cogging is a sine of the position") {
  const CoggingOptions cogging{
      .amplitude_nm = {{0.5}}, .periods_per_rev = {{6.0}}, .phase_rad = {{0.2}}};
  CHECK(cogging.Torque(0, 0.3) == 0.5 * std::sin(6.0 * 0.3 + 0.2));
}

TEST_CASE("With cogging a sample satisfies the model and the closed form of the cogging") {
  const MismatchOptions mismatch{
      .cogging = CoggingOptions{.amplitude_nm = {{0.5, 0.2}}, .periods_per_rev = {{6.0}}}};
  const TrueRobot robot = With(mismatch);
  const TrueRobot plain = With({});
  TrueDynamics dynamics(plain);
  TrueDynamics with_cogging(robot);
  Eigen::VectorXd tau(2), whole(2);
  for (const TrueSample& sample : Drive(robot, 1000, SineTorque)) {
    dynamics.Torque(sample.state.q, sample.state.qd, sample.state.qdd, tau);
    with_cogging.Torque(sample.state.q, sample.state.qd, sample.state.qdd, whole);
    tau(0) += 0.5 * std::sin(6.0 * sample.state.q(0));
    tau(1) += 0.2 * std::sin(6.0 * sample.state.q(1));
    CHECK((tau - sample.tau).cwiseAbs().maxCoeff() < 1e-9);  // what the benchmark promises
    CHECK((tau - whole).cwiseAbs().maxCoeff() < 1e-13);      // rounding
  }
}

TEST_CASE("With LuGre friction a sample satisfies the model and the bristles of its history") {
  const MismatchOptions mismatch = Lugre(0.5);
  const TrueRobot robot = With(mismatch);
  TrueDynamics dynamics(robot);
  Eigen::VectorXd tau(2);
  double z[2] = {0.0, 0.0};
  bool first = true;
  for (const TrueSample& sample : Drive(robot, 1000, SineTorque)) {
    dynamics.Torque(sample.state.q, sample.state.qd, sample.state.qdd, tau);
    for (std::size_t j = 0; j < 2; ++j) {
      const double qd = sample.state.qd(static_cast<Eigen::Index>(j));
      if (!first) z[j] = mismatch.lugre->Advance(j, z[j], qd, 0.00025);
      tau(static_cast<Eigen::Index>(j)) += mismatch.lugre->Torque(j, z[j], qd);
    }
    first = false;
    CHECK((tau - sample.tau).cwiseAbs().maxCoeff() < 1e-9);
  }
}

TEST_CASE("LuGre friction sticks below break-away, creeps back, and slips above") {
  const TrueRobot robot = Turntable(Lugre(0.5));
  const std::vector<TrueSample> stuck = Drive(robot, 8000, [](double) { return 0.3; });
  // A spring of 2000 N·m/rad gives way by 0.15 mrad; a little more while it swings in.
  CHECK(std::abs(stuck.back().state.q(0)) < 5e-4);
  CHECK(std::abs(stuck.back().state.qd(0)) < 1e-4);
  const std::vector<TrueSample> slips = Drive(robot, 8000, [](double) { return 1.4; });
  // After break-away q̈ = τ − fc = 1 rad/s².
  CHECK(slips.back().state.qdd(0) == doctest::Approx(1.0).epsilon(1e-3));
}

TEST_CASE("LuGre friction does not chatter: the acceleration at rest dies out") {
  const std::vector<TrueSample> samples =
      Drive(Turntable(Lugre(0.5)), 20000, [](double t) { return t < 1.0 ? 0.9 : 0.0; });
  CHECK(samples[3000].state.qd(0) > 0.2);
  CHECK(std::abs(samples.back().state.qd(0)) < 1e-6);
  CHECK(std::abs(samples.back().state.qdd(0)) < 1e-5);
}

TEST_CASE(
    "frictionloss is MuJoCo's constraint: it holds a small torque and resists a greater one") {
  const TrueRobot robot = Turntable({.frictionloss_nm = {{0.5}}});
  const std::vector<TrueSample> held = Drive(robot, 4000, [](double) { return 0.4; });
  // It is soft: the joint creeps, but by far less than 0.4 rad/s² would move it in a second, 0.2
  // rad.
  CHECK(std::abs(held.back().state.q(0)) < 0.01);
  const std::vector<TrueSample> moved = Drive(robot, 4000, [](double) { return 1.5; });
  CHECK(moved.back().state.qdd(0) ==
        doctest::Approx(1.0).epsilon(0.05));  // facts: off by 1 % and more
  CHECK(moved.back().tau(0) == 1.5);
}

TEST_CASE("The model file's own frictionloss stays off") {
  const MismatchOptions mismatch{.frictionloss_nm = {{0.0, 0.3}}};
  const TrueRobot robot(CompileMjcf(TwoLinkMjcf(R"(frictionloss="2")")), {"joint1", "joint2"},
                        TwoLinkFriction(), {}, {.mismatch = mismatch});
  CHECK(robot.model().dof_frictionloss[0] == 0.0);
  CHECK(robot.model().dof_frictionloss[1] == 0.3);
}

TEST_CASE("Drives round commanded torques, and samples have what acted") {
  const TrueRobot robot = Turntable({.torque_resolution_nm = {{0.5}}});
  const std::vector<double> commands = {0.24, -0.26, 0.25, 0.75, 7.1};
  const std::vector<double> acted = {0.0, -0.5, 0.0, 1.0, 7.0};  // ties to even
  for (std::size_t k = 0; k < commands.size(); ++k) {
    const TrueSample sample = Drive(robot, 1, [&](double) { return commands[k]; }).front();
    CHECK(sample.tau(0) == acted[k]);
    CHECK(sample.state.qdd(0) == acted[k]);  // of 1 kg·m²
  }
}

/// Rises from 0 by 250 N·m in a second.
class Ramp : public TorqueLaw {
 public:
  void At(double t, Eigen::VectorXd& tau) const override { tau.setConstant(250.0 * t); }
};

TEST_CASE("Drives round torques in the middle of a step of Runge-Kutta, too") {
  // In the one step of 1 ms the law goes from 0 to 0.25 N·m.
  const auto velocity = [](double resolution) {
    const TrueRobot robot(CompileMjcf(R"(<mujoco><worldbody><body>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="hinge"/></body></worldbody>
      </mujoco>)"),
                          {"hinge"}, TrueFriction::None(1),
                          {.timestep_s = 0.001, .integrator = "RK4"},
                          {.mismatch = {.torque_resolution_nm = {{resolution}}}});
    MujocoRobot plant(robot);
    TrueSample sample{0.0, JointState::Zero(1), Eigen::VectorXd::Zero(1)};
    plant.Reset(Eigen::VectorXd::Zero(1), Eigen::VectorXd::Zero(1));
    plant.Step(Ramp(), sample);
    JointState state = JointState::Zero(1);
    plant.State(state);
    return state.qd(0);
  };
  CHECK(velocity(0.0) == doctest::Approx(1.25e-4).epsilon(1e-12));
  CHECK(velocity(1.0) == 0.0);
  // 0, 0.2, 0.2, 0.2 N·m at the nodes: 1/6·(0.4 + 0.4 + 0.2) of a millisecond
  CHECK(velocity(0.2) == doctest::Approx(1.0 / 6.0 * 1e-3).epsilon(1e-12));
}

TEST_CASE("A tilted base turns gravity the other way, and nothing else") {
  // The x axis of a base that is turned about y by δ points down by sin δ.
  const Eigen::Vector3d tilted = MismatchOptions{.base_tilt_rad = {0.0, 0.1}}.Tilted({0, 0, -9.81});
  CHECK(tilted.isApprox(Eigen::Vector3d(9.81 * std::sin(0.1), 0.0, -9.81 * std::cos(0.1)), 1e-15));
  // Axis +y in both joints of the arm: a tilt by δ about y is an angle of the first joint.
  const TrueRobot level = With({}), turned = With({.base_tilt_rad = {0.0, 0.1}});
  CHECK(level.model().opt.gravity[0] == 0.0);
  TrueDynamics level_dynamics(level), turned_dynamics(turned);
  const Eigen::Vector2d q(0.3, -0.7), qd(0.5, 0.2), qdd(1.0, -2.0);
  Eigen::VectorXd expected(2), tau(2);
  level_dynamics.Torque(q + Eigen::Vector2d(0.1, 0.0), qd, qdd, expected);
  turned_dynamics.Torque(q, qd, qdd, tau);
  CHECK((tau - expected).norm() < 1e-12);
}

TEST_CASE("What has a state or is a constraint cannot be replayed") {
  CHECK_FALSE(MismatchOptions{.cogging = CoggingOptions{}}.NeedsSimulation());
  for (const MismatchOptions& mismatch :
       {Lugre(0.5), MismatchOptions{.frictionloss_nm = {{0.0, 0.1}}},
        MismatchOptions{.torque_resolution_nm = {{0.1, 0.0}}}}) {
    CHECK(mismatch.NeedsSimulation());
    CHECK_THROWS_WITH_AS(ReplayExactly(With(mismatch), TwoLinkMotion(1.0), 100.0),
                         "ReplayExactly: LuGre friction, frictionloss and torques in steps need a "
                         "simulation",
                         std::invalid_argument);
  }
}

TEST_CASE("Random phases of cogging are one draw a trial, uniform over a turn") {
  CoggingOptions options{
      .amplitude_nm = {{0.5}}, .periods_per_rev = {{2.0}}, .random_phase = Draw::kTrial};
  const auto phases = [&](std::int64_t trial) {
    return DrawPhases(options, 3, 7, trial).phase_rad.values;
  };
  CHECK(phases(0) == phases(0));
  CHECK(phases(0) != phases(1));
  CHECK(phases(0)[0] != phases(0)[1]);
  CHECK(!DrawPhases(options, 3, 7, 0).random_phase);
  double sum = 0.0, squares = 0.0;
  for (std::int64_t trial = 0; trial < 1000; ++trial) {
    for (const double phase : phases(trial)) {
      CHECK((phase >= 0.0 && phase < 2.0 * std::numbers::pi));
      sum += phase / 3000.0;
      squares += phase * phase / 3000.0;
    }
  }
  CHECK(sum == doctest::Approx(std::numbers::pi).epsilon(0.05));  // 3 σ of the mean
  CHECK(squares == doctest::Approx(4.0 * std::numbers::pi * std::numbers::pi / 3.0).epsilon(0.1));
  options.random_phase = Draw::kCell;
  CHECK(phases(0) == phases(1));
  std::vector<Issue> issues;
  ReadFields(Visit(options), {{"phase_rad", 0.5}, {"random_phase", "trial"}}, "", issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/random_phase");
  options.phase_rad = {};
  options.random_phase.reset();
  CHECK(DrawPhases(options, 3, 7, 0) == options);
}

TEST_CASE("The step check knows the bristles") {
  // h·2σ1/I + h²·σ0/I = 1 with σ1 = 1, σ0 = 3e6, I = 1: h = (−2 + √(4 + 1.2e7))/6e6 = 5.77e-4 …
  const auto message = [](double stiffness) -> std::string {
    MismatchOptions mismatch = Lugre(0.5);
    mismatch.lugre->stiffness_nm_rad = {{stiffness}};
    mismatch.lugre->damping_nms_rad = {{1.0}};
    class Rest : public Motion {
     public:
      double duration_s() const override { return 1.0; }
      void Evaluate(double, JointState& desired) const override { desired = JointState::Zero(1); }
      void Describe(CanonicalText& text) const override { text.Add("kind", "rest"); }
    };
    try {
      CheckFrictionStep(Turntable(mismatch), Rest());
    } catch (const PlantError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message(3e6).empty());
  // … and with σ0 = 3e8: (−2 + √(4 + 1.2e9))/6e8 = 5.77e-5 s.
  CHECK(
      message(3e8).find("friction of joint 'hinge' would chatter: timestep_s is 0.00025 s, at most "
                        "5.77e-05 s does") == 0);
}

}  // namespace
}  // namespace idbench
