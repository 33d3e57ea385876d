#include "sim/rollout.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "robots/control/computed_torque.h"
#include "robots/plant/plant_error.h"
#include "scenarios/motion/trajectory/fourier.h"
#include "sim/mujoco_robot.h"
#include "sim/truth/true_dynamics.h"
#include "sim/two_link_test.h"

namespace idbench {
namespace {

InverseDynamics ModelOf(TrueDynamics& dynamics) {
  return
      [&dynamics](const Eigen::VectorXd& q, const Eigen::VectorXd& qd, const Eigen::VectorXd& qdd,
                  Eigen::VectorXd& tau) { dynamics.Torque(q, qd, qdd, tau); };
}

/// Greatest |τ − ID(q, q̇, q̈)| over the samples [N·m].
double TorqueResidual(const TrueRobot& robot, const Signals& signals) {
  TrueDynamics dynamics(robot);
  Eigen::VectorXd tau(robot.dofs());
  double residual = 0.0;
  for (Eigen::Index i = 0; i < signals.time_s.size(); ++i) {
    dynamics.Torque(signals[kJointPosition].row(i), signals[kJointVelocity].row(i),
                    signals[kJointAcceleration].row(i), tau);
    residual =
        std::max(residual, (tau - signals[kJointTorque].row(i).transpose()).cwiseAbs().maxCoeff());
  }
  return residual;
}

/// Greatest |q − q_d| over the samples [rad].
double TrackingError(const Signals& signals, const Motion& motion) {
  JointState desired = JointState::Zero(2);
  double error = 0.0;
  for (Eigen::Index i = 0; i < signals.time_s.size(); ++i) {
    motion.Evaluate(signals.time_s(i), desired);
    error = std::max(
        error, (signals[kJointPosition].row(i).transpose() - desired.q).cwiseAbs().maxCoeff());
  }
  return error;
}

TEST_CASE("A rate that divides the step rate is accepted") {
  CHECK_FALSE(CheckRate("/sensors/rate_hz", 100.0, 0.00025));
  CHECK_FALSE(CheckRate("/sensors/rate_hz", 4000.0, 0.00025));
  CHECK_FALSE(CheckRate("/sensors/rate_hz", 1000.0 / 3.0, 0.001));  // 0.001 is not a binary number
}

TEST_CASE("A rate that does not divide the step rate is refused with the nearest that do") {
  const std::optional<Issue> issue = CheckRate("/sensors/rate_hz", 300.0, 0.00025);
  REQUIRE(issue);
  CHECK(ConfigError("s.json", {*issue}).what() ==
        std::string("s.json: /sensors/rate_hz: a rate of 300 Hz does not divide the plant's 4000 "
                    "steps per second\n"
                    "  nearest that do: 307.692 Hz, 285.714 Hz"));
  const std::optional<Issue> too_fast = CheckRate("/sensors/rate_hz", 1e5, 0.00025);
  REQUIRE(too_fast);
  CHECK(too_fast->details == std::vector<std::string>{"nearest that do: 4000 Hz"});
}

TEST_CASE("Recorded signals are samples of the plant in the middle of a hold, bit for bit") {
  const TrueRobot robot = TwoLink();
  TrueDynamics dynamics(robot);
  const TwoLinkMotion motion(0.1);
  ComputedTorque controller({}, ModelOf(dynamics));
  const Signals signals = Simulate(robot, controller, ExactFeedback(), motion, 100.0);
  REQUIRE(signals.time_s.size() == 10);

  MujocoRobot plant(robot);
  std::vector<TrueSample> samples;
  RunExperiment(plant, controller, ExactFeedback(), motion,
                [&](const TrueSample& sample) { samples.push_back(sample); });
  for (Eigen::Index i = 0; i < 10; ++i) {
    // 40 steps a sample; the hold of 4 steps is half over after 2.
    const TrueSample& sample = samples[static_cast<std::size_t>(2 + 40 * i)];
    CHECK(signals.time_s(i) == sample.t);
    CHECK(signals[kJointPosition].row(i) == sample.state.q.transpose());
    CHECK(signals[kJointVelocity].row(i) == sample.state.qd.transpose());
    CHECK(signals[kJointAcceleration].row(i) == sample.state.qdd.transpose());
    CHECK(signals[kJointTorque].row(i) == sample.tau.transpose());
  }
}

TEST_CASE("In the middle of a hold the acceleration agrees best with the slope of the velocity") {
  const TrueRobot robot = TwoLink();
  TrueDynamics dynamics(robot);
  // Slow and off: a torque held for 10 ms jumps visibly.
  const ComputedTorqueOptions slow{.natural_frequency_hz = 2.0, .loop = {.rate_hz = 100.0}};
  ComputedTorque controller(slow, ModelOf(dynamics));
  MujocoRobot plant(robot);
  std::vector<TrueSample> samples;
  RunExperiment(plant, controller, ExactFeedback(), TwoLinkMotion(1.0),
                [&](const TrueSample& sample) { samples.push_back(sample); });
  const auto mean_error = [&](std::size_t phase) {
    double sum = 0.0;
    for (std::size_t i = 40; i + 41 < samples.size(); i += 40) {
      // Central difference over one hold about the sample.
      const Eigen::VectorXd slope =
          (samples[i + phase + 20].state.qd - samples[i + phase - 20].state.qd) / 0.01;
      sum += (slope - samples[i + phase].state.qdd).norm();
    }
    return sum;
  };
  CHECK(mean_error(20) < 0.2 * mean_error(0));
}

TEST_CASE("Signals of a simulation satisfy the model to 1e-9 N·m") {
  const TrueRobot robot = TwoLink();
  TrueDynamics dynamics(robot);
  ComputedTorque controller({}, ModelOf(dynamics));
  CHECK(TorqueResidual(
            robot, Simulate(robot, controller, ExactFeedback(), TwoLinkMotion(1.0), 100.0)) < 1e-9);
}

TEST_CASE("Signals with Stribeck friction satisfy the model to 1e-9 N·m") {
  TrueFriction friction = TwoLinkFriction();
  friction.stribeck_excess = Eigen::Vector2d(0.4, 0.2);
  friction.stribeck_velocity = Eigen::Vector2d(0.3, 0.2);
  const TrueRobot robot(CompileMjcf(TwoLinkMjcf()), {"joint1", "joint2"}, friction, {});
  TrueDynamics dynamics(robot);
  ComputedTorque controller({}, ModelOf(dynamics));
  CHECK(TorqueResidual(
            robot, Simulate(robot, controller, ExactFeedback(), TwoLinkMotion(1.0), 100.0)) < 1e-9);
}

TEST_CASE("With the true model the robot stays on its motion") {
  const TrueRobot robot = TwoLink();
  TrueDynamics dynamics(robot);
  const TwoLinkMotion motion(2.0);
  ComputedTorque controller({}, ModelOf(dynamics));
  // A torque that is held for 1 ms is half a ms late: 0.5e-3·|dq̈/dt|/ω² ≤ 0.5e-3·165/990 = 8e-5
  // rad, and Coulomb friction that reverses within a hold, 2 N·m on 0.2 kg·m², adds 10·(1e-3 s)² a
  // hold.
  CHECK(TrackingError(Simulate(robot, controller, ExactFeedback(), motion, 100.0), motion) < 1e-3);
}

/// A torque that keeps the two links moving.
class WaveLaw : public TorqueLaw {
 public:
  void At(double t, Eigen::VectorXd& tau) const override {
    tau << 6.0 * std::sin(7.0 * t) + 2.0, 3.0 * std::cos(11.0 * t);
  }
};

TEST_CASE("Open-loop torque is sampled from 0 to the end, and satisfies the model") {
  for (const char* integrator : {"RK4", "implicitfast"}) {
    CAPTURE(integrator);
    const TrueRobot robot = TwoLink({.timestep_s = 0.001, .integrator = integrator});
    const Signals signals = Simulate(robot, WaveLaw(), TwoLinkMotion(0.1), 100.0);
    REQUIRE(signals.time_s.size() == 11);
    CHECK(signals.time_s(10) == 0.1);
    Eigen::VectorXd tau(2);
    WaveLaw().At(signals.time_s(7), tau);
    CHECK(signals[kJointTorque].row(7) == tau.transpose());
    CHECK(TorqueResidual(robot, signals) < 1e-9);
  }
  // A duration that is no whole number of samples has none at its end.
  CHECK(Simulate(TwoLink(), WaveLaw(), TwoLinkMotion(0.025), 100.0).time_s.size() == 3);
}

TEST_CASE("With other integrators than RK4 an open-loop torque is held for each step") {
  const TrueRobot robot = TwoLink();
  const Signals signals = Simulate(robot, WaveLaw(), TwoLinkMotion(0.1), 4000.0);
  MujocoRobot plant(robot);
  plant.Reset(signals[kJointPosition].row(0), signals[kJointVelocity].row(0));
  TrueSample sample{0.0, JointState::Zero(2), Eigen::VectorXd::Zero(2)};
  for (Eigen::Index i = 0; i < signals.time_s.size(); ++i) {
    plant.Step(Eigen::VectorXd(signals[kJointTorque].row(i)), sample);
    CHECK(signals[kJointPosition].row(i) == sample.state.q.transpose());
    CHECK(signals[kJointAcceleration].row(i) == sample.state.qdd.transpose());
  }
}

TEST_CASE("A distance meter that does not see the ground fails, naming the instant") {
  TrueParts parts;
  parts.distance_meter =
      TrueDistanceMeter{2, Eigen::Vector3d(0.0, 0.0, -0.5), -Eigen::Vector3d::UnitZ()};
  const TrueRobot robot(CompileMjcf(TwoLinkMjcf()), {"joint1", "joint2"}, TwoLinkFriction(), {},
                        parts);
  CHECK_THROWS_WITH_AS(
      ReplayExactly(robot, TwoLinkMotion(0.1), 100.0, SourcesOf(std::array{kDistance})),
      "the distance meter does not see the ground at t = 0 s", PlantError);
}

TEST_CASE("Exact replay is on the motion and satisfies the model") {
  const TrueRobot robot = TwoLink();
  const TwoLinkMotion motion(1.0);
  const Signals signals = ReplayExactly(robot, motion, 300.0);
  REQUIRE(signals.time_s.size() == 300);
  CHECK(signals.time_s(299) == 299.0 / 300.0);
  CHECK(TrackingError(signals, motion) == 0.0);
  CHECK(TorqueResidual(robot, signals) == 0.0);
}

TEST_CASE("A motion that is no whole number of samples has one in every period that begins") {
  const TrueRobot robot = TwoLink();
  TrueDynamics dynamics(robot);
  CHECK(ReplayExactly(robot, TwoLinkMotion(0.025), 100.0).time_s.size() == 3);
  ComputedTorque controller({}, ModelOf(dynamics));
  CHECK(Simulate(robot, controller, ExactFeedback(), TwoLinkMotion(0.025), 100.0).time_s.size() ==
        3);
}

TEST_CASE("Recording refuses rates that do not divide the plant's step rate") {
  const TrueRobot robot = TwoLink();
  TrueDynamics dynamics(robot);
  MujocoRobot plant(robot);
  ComputedTorque controller({}, ModelOf(dynamics));
  CHECK_THROWS_WITH_AS(Record(plant, controller, ExactFeedback(), TwoLinkMotion(0.1), 3000.0),
                       "Record: sensors: a rate of 3000 Hz does not divide the plant's 4000 steps "
                       "per second: nearest that do: 4000 Hz, 2000 Hz",
                       std::invalid_argument);
  ComputedTorque odd({.loop = {.rate_hz = 900.0}}, ModelOf(dynamics));
  CHECK_THROWS_WITH_AS(Record(plant, odd, ExactFeedback(), TwoLinkMotion(0.1), 100.0),
                       "Record: control: a rate of 900 Hz does not divide the plant's 4000 steps "
                       "per second: nearest that do: 1000 Hz, 800 Hz",
                       std::invalid_argument);
}

TEST_CASE("Desired channels are the motion at the samples, whatever the robot does") {
  const TrueRobot robot = TwoLink();
  const TwoLinkMotion motion(0.3);
  TrueDynamics model(robot);
  ComputedTorque soft({.natural_frequency_hz = 0.5},
                      [&](const Eigen::VectorXd& q, const Eigen::VectorXd& qd,
                          const Eigen::VectorXd& qdd, Eigen::VectorXd& tau) {
                        model.Torque(q, qd, qdd, tau);
                        tau *= 0.9;
                      });
  const Signals signals = Simulate(robot, soft, ExactFeedback(), motion, 200.0,
                                   SourcesOf(std::array{kDesiredVelocity}));
  JointState desired = JointState::Zero(2);
  for (Eigen::Index k = 0; k < signals.time_s.size(); ++k) {
    motion.Evaluate(signals.time_s(k), desired);
    CHECK(signals[kDesiredPosition].row(k).transpose() == desired.q);
    CHECK(signals[kDesiredVelocity].row(k).transpose() == desired.qd);
    CHECK(signals[kDesiredAcceleration].row(k).transpose() == desired.qdd);
  }
  CHECK((signals[kDesiredPosition] - signals[kJointPosition]).norm() > 0.01);
  CHECK(Simulate(robot, soft, ExactFeedback(), motion, 200.0)[kDesiredPosition].size() == 0);
}

}  // namespace
}  // namespace idbench
