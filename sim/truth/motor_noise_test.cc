#include "sim/truth/motor_noise.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "sim/mujoco_robot.h"
#include "sim/truth/compile_truth.h"
#include "sim/truth/environment.h"
#include "sim/truth/true_dynamics.h"

namespace idbench {
namespace {

const Robot& Driven() {
  static const Robot robot = LoadRobot("icub_right_arm");
  return robot;
}

const MotorNoiseOptions kNoise{.std_nm = {{0.1, 0.2, 0.0, 0.4, 0.0, 0.0}}, .cutoff_hz = 5.0};

Environment Noisy(const MotorNoiseOptions& options, const EnvironmentKey& key = {1, -1, "run"}) {
  return MakeEnvironment({.motor_noise = options}, Driven(), 0, key, 10.0);
}

/// n(t) of all joints.
Eigen::VectorXd NoiseAt(const Environment& environment, double t) {
  Eigen::VectorXd tau = Eigen::VectorXd::Zero(Driven().model.dofs());
  environment.motor_noise->SubtractFrom(t, tau);
  return -tau;
}

TEST_CASE("Noise of motors has the σ that is declared, and no frequency beyond the cut-off") {
  const Environment environment = Noisy(kNoise);
  const Eigen::MatrixXd to_motors = Driven().model.actuation().B.inverse();
  constexpr int kSamples = 20000;  // 1000 s: σ of a mean square of 32 waves is far below 1 %
  constexpr double kStep = 0.05;
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(6);
  double slow = 0.0, fast = 0.0;  // power of motor 3 at 2.5 Hz and its neighbours, and at 7 Hz
  for (const double hz : {2.3, 2.4, 2.5, 2.6, 2.7, 7.0, 7.5, 8.0}) {
    double cosine = 0.0, sine = 0.0;
    for (int k = 0; k < kSamples; ++k) {
      const double t = kStep * k;
      const double window = std::sin(std::numbers::pi * k / kSamples);
      const double noise = window * (to_motors * NoiseAt(environment, t))[3];
      cosine += noise * std::cos(2.0 * std::numbers::pi * hz * t);
      sine += noise * std::sin(2.0 * std::numbers::pi * hz * t);
    }
    (hz < 5.0 ? slow : fast) += (cosine * cosine + sine * sine) / kSamples / kSamples;
  }
  for (int k = 0; k < kSamples; ++k) {
    squares += (to_motors * NoiseAt(environment, kStep * k)).cwiseAbs2() / kSamples;
  }
  CHECK(squares[0] == doctest::Approx(0.01).epsilon(0.02));
  CHECK(squares[1] == doctest::Approx(0.04).epsilon(0.02));
  CHECK(squares[2] == 0.0);
  CHECK(squares[3] == doctest::Approx(0.16).epsilon(0.02));
  CHECK(fast < 1e-3 * slow);
}

TEST_CASE("Noise is that of its trial if it is drawn per trial, and of the experiment") {
  const EnvironmentKey first{1, 0, "run"}, second{1, 1, "run"}, other{1, 0, "again"};
  CHECK(NoiseAt(Noisy(kNoise, first), 1.0) == NoiseAt(Noisy(kNoise, second), 1.0));
  CHECK(NoiseAt(Noisy(kNoise, first), 1.0) != NoiseAt(Noisy(kNoise, other), 1.0));
  MotorNoiseOptions drawn = kNoise;
  drawn.draw = Draw::kTrial;
  CHECK(NoiseAt(Noisy(drawn, first), 1.0) != NoiseAt(Noisy(drawn, second), 1.0));
  CHECK(DrawnPerTrial(EnvironmentOptions{.motor_noise = drawn}));
  CHECK(!DrawnPerTrial(EnvironmentOptions{.motor_noise = kNoise}));
}

TEST_CASE("What drives are told is what the motion takes less the noise, replayed or integrated") {
  const Environment environment = Noisy(kNoise);
  MujocoPlantOptions options;
  options.timestep_s = 0.001;
  const TrueRobot robot = CompileTruth(Driven(), Driven().FindSet("")->pi, options);
  TrueDynamics still(robot);
  TrueDynamics noisy(Scene(robot, &environment));
  const Eigen::VectorXd q{{-0.7, 1.0, 0.4, 1.0, 0.1, -0.4}};
  const Eigen::VectorXd rate = Eigen::VectorXd::Constant(6, 0.3);
  Eigen::VectorXd plain(6), told(6);
  still.Torque(q, rate, rate, plain);
  noisy.SetTime(0.7);
  noisy.Torque(q, rate, rate, told);
  CHECK((plain - told - NoiseAt(environment, 0.7)).cwiseAbs().maxCoeff() < 1e-12);

  MujocoRobot integrated(Scene(robot, &environment));
  integrated.Reset(q, Eigen::VectorXd::Zero(6));
  TrueSample sample{0.0, JointState::Zero(6), Eigen::VectorXd::Zero(6)};
  for (int step = 0; step < 50; ++step) {
    still.Torque(q, Eigen::VectorXd::Zero(6), Eigen::VectorXd::Zero(6), plain);
    integrated.Step(plain, sample);
    const auto& [at, rates, accelerations] = sample.state;
    noisy.SetTime(sample.t);
    noisy.Torque(at, rates, accelerations, told);
    CHECK((sample.tau - told).cwiseAbs().maxCoeff() < 1e-9);
  }
}

TEST_CASE("Noise for another number of motors is refused") {
  const std::vector<Issue> issues =
      CheckEnvironment({.motor_noise = MotorNoiseOptions{.std_nm = {{0.1, 0.2}}}}, "/environment",
                       Driven(), 0, 0.001);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/environment/motor_noise/std_nm");
  CHECK(issues[0].what == "got a list of 2, the robot has 6 motors");
  CHECK(Describe(EnvironmentOptions{.motor_noise = kNoise}).back() ==
        "noise of 0.1, 0.2, 0, 0.4, 0, 0 N·m below 5 Hz on the motors' torques");
}

}  // namespace
}  // namespace idbench
