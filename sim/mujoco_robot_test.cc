#include "sim/mujoco_robot.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <thread>
#include <vector>

#include "robots/plant/plant_error.h"
#include "scenarios/options/json.h"
#include "sim/truth/true_dynamics.h"
#include "sim/two_link_test.h"

namespace idbench {
namespace {

/// An open-loop torque that keeps the two links moving.
Eigen::VectorXd WaveTorques(double t) {
  return Eigen::Vector2d(6.0 * std::sin(7.0 * t) + 2.0, 3.0 * std::cos(11.0 * t));
}

std::vector<TrueSample> DriveByWave(MujocoRobot& plant, int steps) {
  std::vector<TrueSample> samples;
  TrueSample sample{0.0, JointState::Zero(2), Eigen::VectorXd::Zero(2)};
  plant.Reset(Eigen::Vector2d(0.3, -0.5), Eigen::Vector2d(1.0, 0.0));
  for (int i = 0; i < steps; ++i) {
    plant.Step(WaveTorques(i * plant.step_s()), sample);
    samples.push_back(sample);
  }
  return samples;
}

bool SameBits(const std::vector<TrueSample>& a, const std::vector<TrueSample>& b) {
  bool same = a.size() == b.size();
  for (std::size_t i = 0; same && i < a.size(); ++i) {
    same = a[i].t == b[i].t && a[i].state.q == b[i].state.q && a[i].state.qd == b[i].state.qd &&
           a[i].state.qdd == b[i].state.qdd && a[i].tau == b[i].tau;
  }
  return same;
}

/// Greatest |τ − ID(q, q̇, q̈)| over the samples, relative to the greatest |τ|.
double RelativeResidual(const TrueRobot& robot, const std::vector<TrueSample>& samples) {
  TrueDynamics dynamics(robot);
  double residual = 0.0;
  double greatest = 0.0;
  Eigen::VectorXd tau(2);
  for (const TrueSample& sample : samples) {
    dynamics.Torque(sample.state.q, sample.state.qd, sample.state.qdd, tau);
    residual = std::max(residual, (tau - sample.tau).lpNorm<Eigen::Infinity>());
    greatest = std::max(greatest, sample.tau.lpNorm<Eigen::Infinity>());
  }
  return residual / greatest;
}

TEST_CASE("A sample satisfies the model, whatever the integrator") {
  for (const char* integrator : {"implicitfast", "Euler", "implicit", "RK4", "discrete"}) {
    CAPTURE(integrator);
    const TrueRobot robot = TwoLink({.integrator = integrator});
    MujocoRobot plant(robot);
    // Rounding of one solve with M(q), whose condition number is about 30.
    CHECK(RelativeResidual(robot, DriveByWave(plant, 2000)) < 1e-12);
  }
}

TEST_CASE("A sample satisfies mj_inverse plus friction") {
  const TrueRobot robot = TwoLink();
  MujocoRobot plant(robot);
  const ModelPtr model = CompileMjcf(TwoLinkMjcf());
  const DataPtr data(mj_makeData(model.get()));
  for (const TrueSample& sample : DriveByWave(plant, 500)) {
    for (int j = 0; j < 2; ++j) {
      data->qpos[j] = sample.state.q(j);
      data->qvel[j] = sample.state.qd(j);
      data->qacc[j] = sample.state.qdd(j);
    }
    mj_inverse(model.get(), data.get());
    for (int j = 0; j < 2; ++j) {
      // The accuracy that the benchmark promises; torques are of the order of 5 N·m.
      CHECK(std::abs(sample.tau(j) - data->qfrc_inverse[j] -
                     robot.FrictionTorque(j, sample.state.qd(j), 1.0)) < 1e-9);
    }
  }
}

TEST_CASE("Steps are those of mj_step, bit for bit, whatever the integrator") {
  for (const char* integrator : {"implicitfast", "Euler", "implicit", "RK4", "discrete"}) {
    CAPTURE(integrator);
    const TrueRobot robot = TwoLink({.integrator = integrator});
    MujocoRobot plant(robot);
    const std::vector<TrueSample> samples = DriveByWave(plant, 500);
    const DataPtr data(mj_makeData(&robot.model()));
    data->qpos[0] = 0.3;
    data->qpos[1] = -0.5;
    data->qvel[0] = 1.0;
    for (const TrueSample& sample : samples) {
      for (int j = 0; j < 2; ++j) {
        CHECK(sample.state.q(j) == data->qpos[j]);
        CHECK(sample.state.qd(j) == data->qvel[j]);
        data->qfrc_applied[j] = sample.tau(j) - robot.FrictionTorque(j, data->qvel[j], 1.0);
      }
      mj_step(&robot.model(), data.get());
    }
  }
}

TEST_CASE("The state after a step does not belong to that step's acceleration and torque") {
  const TrueRobot robot = TwoLink();
  MujocoRobot plant(robot);
  std::vector<TrueSample> samples = DriveByWave(plant, 2000);
  for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
    samples[i].state.q = samples[i + 1].state.q;
    samples[i].state.qd = samples[i + 1].state.qd;
  }
  samples.pop_back();
  CHECK(RelativeResidual(robot, samples) > 1e-3);
}

TEST_CASE("What the model file adds to rigid bodies does not act") {
  const std::string disturbed =
      TwoLinkMjcf(R"(damping="3" frictionloss="2" stiffness="40" springref="0.5")");
  const TrueRobot robot(CompileMjcf(disturbed), {"joint1", "joint2"}, TwoLinkFriction(), {});
  const TrueRobot plain = TwoLink();
  MujocoRobot plant(robot);
  MujocoRobot plain_plant(plain);
  CHECK(SameBits(DriveByWave(plant, 500), DriveByWave(plain_plant, 500)));
}

TEST_CASE("A body in free fall follows the semi-implicit steps of its closed form") {
  const TrueRobot robot(CompileMjcf(R"(<mujoco><worldbody><body>
      <inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/>
      <joint name="rail" type="slide" axis="0 0 1"/></body></worldbody></mujoco>)"),
                        {"rail"}, TrueFriction::None(1), {.timestep_s = 0.001});
  MujocoRobot plant(robot);
  TrueSample sample{0.0, JointState::Zero(1), Eigen::VectorXd::Zero(1)};
  plant.Reset(Eigen::VectorXd::Zero(1), Eigen::VectorXd::Zero(1));
  for (int k = 0; k < 100; ++k) {
    plant.Step(Eigen::VectorXd::Zero(1), sample);
    // q̇_k = −g·h·k, q_k = −g·h²·k(k + 1)/2: rounding only.
    CHECK(sample.t == k * 0.001);
    CHECK(sample.state.qdd(0) == doctest::Approx(-9.81).epsilon(1e-14));
    CHECK(sample.state.qd(0) == doctest::Approx(-9.81e-3 * k).epsilon(1e-12));
    CHECK(sample.state.q(0) == doctest::Approx(-9.81e-6 * k * (k + 1) / 2.0).epsilon(1e-12));
  }
}

TEST_CASE("Reset begins the same experiment again, bit for bit") {
  const TrueRobot robot = TwoLink();
  MujocoRobot plant(robot);
  const std::vector<TrueSample> first = DriveByWave(plant, 300);
  CHECK(SameBits(first, DriveByWave(plant, 300)));
}

TEST_CASE("Plants in several threads share a robot and give the same bits") {
  const TrueRobot robot = TwoLink();
  std::vector<std::vector<TrueSample>> results(4);
  {
    std::vector<std::jthread> threads;
    for (std::vector<TrueSample>& result : results) {
      threads.emplace_back([&robot, &result] {
        MujocoRobot plant(robot);
        result = DriveByWave(plant, 300);
      });
    }
  }
  for (const std::vector<TrueSample>& result : results) CHECK(SameBits(result, results[0]));
}

TEST_CASE("Feedback is the state of the next sample") {
  const TrueRobot robot = TwoLink();
  MujocoRobot plant(robot);
  DriveByWave(plant, 10);
  JointState state = JointState::Zero(2);
  plant.State(state);
  TrueSample sample{0.0, JointState::Zero(2), Eigen::VectorXd::Zero(2)};
  plant.Step(Eigen::Vector2d(1.0, 2.0), sample);
  CHECK(state.q == sample.state.q);
  CHECK(state.qd == sample.state.qd);
}

/// Steps once from the state given and returns what went wrong.
std::string FailureOf(const TrueRobot& robot, const Eigen::VectorXd& q, const Eigen::VectorXd& qd,
                      const Eigen::VectorXd& tau, int steps = 1) {
  MujocoRobot plant(robot);
  const int n = robot.dofs();
  TrueSample sample{0.0, JointState::Zero(n), Eigen::VectorXd::Zero(n)};
  plant.Reset(q, qd);
  try {
    for (int i = 0; i < steps; ++i) plant.Step(tau, sample);
  } catch (const PlantError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("A divergence names time, joint and number, and writes no log file") {
  const TrueRobot robot = TwoLink();
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(2);
  const double nan = std::nan("");
  CHECK(FailureOf(robot, Eigen::Vector2d(0, 1e9), zero, zero) ==
        "simulation diverged at t = 0 s: position of joint 'joint2' is 1e+09");
  CHECK(FailureOf(robot, zero, Eigen::Vector2d(nan, 0), zero) ==
        "simulation diverged at t = 0 s: velocity of joint 'joint1' is nan");
  CHECK(FailureOf(robot, zero, zero, Eigen::Vector2d(0, nan)) ==
        "simulation diverged at t = 0 s: commanded torque of joint 'joint2' is nan");
  const std::string too_fast =
      FailureOf(robot, zero, Eigen::Vector2d(2e6, -2e6), Eigen::Vector2d(1e7, -1e7));
  CHECK(too_fast.starts_with("simulation diverged at t = 0 s: acceleration of joint 'joint"));
  CHECK_FALSE(std::filesystem::exists("MUJOCO_LOG.TXT"));
}

TEST_CASE("A joint that leaves its range has failed") {
  const TrueRobot robot = TwoLink();
  CHECK(FailureOf(robot, Eigen::Vector2d(0.0, -2.5001), Eigen::VectorXd::Zero(2),
                  Eigen::VectorXd::Zero(2)) ==
        "joint 'joint2' hit its stop at t = 0 s: position -2.5001, range [-2.5, 2.5]");
  // q̇ = 4 rad/s from 2.7995: beyond 2.8 after one step of 0.25 ms.
  CHECK(FailureOf(robot, Eigen::Vector2d(2.7995, 0.0), Eigen::Vector2d(4.0, 0.0),
                  Eigen::VectorXd::Zero(2), 2)
            .starts_with("joint 'joint1' hit its stop at t = 0.00025 s: position 2.80"));
}

TEST_CASE("An experiment of more than the greatest number of steps has failed") {
  const TrueRobot robot = TwoLink({.max_steps = 3});
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(2);
  CHECK(FailureOf(robot, zero, zero, zero, 3).empty());
  CHECK(FailureOf(robot, zero, zero, zero, 4) ==
        "the experiment takes more than max_steps = 3 steps of 0.00025 s");
}

TEST_CASE("A robot without inertia has failed, with MuJoCo's reason") {
  ModelPtr model = CompileMjcf(TwoLinkMjcf());
  std::fill_n(model->body_mass, model->nbody, 0.0);
  std::fill_n(model->body_inertia, 3 * model->nbody, 0.0);
  std::fill_n(model->dof_armature, model->nv, 0.0);
  const TrueRobot robot(std::move(model), {"joint1", "joint2"}, TrueFriction::None(2), {});
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(2);
  CHECK(FailureOf(robot, zero, zero, zero)
            .starts_with("simulation failed at t = 0 s: Inertia matrix is too close to singular"));
}

TEST_CASE("An initial state of another size is refused") {
  const TrueRobot robot = TwoLink();
  MujocoRobot plant(robot);
  CHECK_THROWS_WITH_AS(plant.Reset(Eigen::VectorXd::Zero(2), Eigen::VectorXd::Zero(3)),
                       "MujocoRobot::Reset: got 2 positions and 3 velocities for 2 joints",
                       std::invalid_argument);
}

TEST_CASE("Plant options outside their range are refused by name") {
  MujocoPlantOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), Json::parse(R"({"timestep_s": 0, "integrator": "euler"})"), "/plant",
             issues);
  CHECK(ConfigError("s.json", issues).what() ==
        std::string("s.json: /plant/timestep_s: got 0\n"
                    "  accepted here: a number, greater than 0 and at most 0.1 [s]\n"
                    "s.json: /plant/integrator: got \"euler\"\n"
                    "  accepted here: implicitfast, Euler, implicit, RK4, discrete\n"
                    "  did you mean 'Euler'?"));
}

}  // namespace
}  // namespace idbench
