#include "sim/simulated_robot.h"

#include <doctest/doctest.h>

#include <vector>

#include "robots/plant/plant_error.h"
#include "robots/recording/channels.h"

namespace idbench {
namespace {

/// A unit mass on a rail, semi-implicit Euler: q̈ = τ.
class UnitMass : public SimulatedRobot {
 public:
  explicit UnitMass(double stop) : stop_(stop) {}
  int dofs() const override { return 1; }
  double step_s() const override { return 0.1; }
  void Reset(const Eigen::VectorXd& q, const Eigen::VectorXd& qd) override {
    q_ = q(0);
    qd_ = qd(0);
    t_ = 0.0;
  }
  void State(JointState& state) const override {
    state.q(0) = q_;
    state.qd(0) = qd_;
  }
  void Step(const Eigen::VectorXd& tau_command, TrueSample& sample) override {
    if (t_ > 1.5) throw PlantError("out of rail");
    if (q_ > stop_) throw StopHit(0, "stop hit");
    sample.t = t_;
    sample.state.q(0) = q_;
    sample.state.qd(0) = qd_;
    sample.state.qdd(0) = tau_command(0);
    sample.tau = tau_command;
    qd_ += step_s() * tau_command(0);
    q_ += step_s() * qd_;
    t_ += step_s();
  }

 private:
  double stop_;
  double q_ = 0.0, qd_ = 0.0, t_ = 0.0;
};

/// q = 3 + t², q̇ = 2t, q̈ = 2.
class Parabola : public Motion {
 public:
  explicit Parabola(double duration_s) : duration_s_(duration_s) {}
  double duration_s() const override { return duration_s_; }
  void Evaluate(double t, JointState& desired) const override {
    desired.q(0) = 3.0 + t * t;
    desired.qd(0) = 2.0 * t;
    desired.qdd(0) = 2.0;
  }
  void Describe(CanonicalText& text) const override {
    text.Add("kind", "parabola").Add("duration_s", duration_s_);
  }

 private:
  double duration_s_;
};

/// Applies the desired acceleration and remembers what it was told.
class Scribe : public Controller {
 public:
  explicit Scribe(double hold_s = 0.0) : hold_s_(hold_s) {}
  double hold_s() const override { return hold_s_; }
  void Act(const JointState& desired, const Reading& reading, Command& command) override {
    times.push_back(reading.t);
    desired_q.push_back(desired.q(0));
    fed_back_q.push_back(reading[kJointPosition](0));
    command.value = desired.qdd;
  }

  std::vector<double> times, desired_q, fed_back_q;

 private:
  double hold_s_;
};

std::vector<TrueSample> Samples(Controller& controller, double duration_s, double stop = 100.0) {
  UnitMass robot(stop);
  TrueFeedback feedback;
  std::vector<TrueSample> samples;
  RunExperiment(robot, controller, feedback, Parabola(duration_s),
                [&](const TrueSample& sample) { samples.push_back(sample); });
  return samples;
}

TEST_CASE("An experiment starts in the motion's own initial state, at time 0") {
  Scribe controller;
  const std::vector<TrueSample> samples = Samples(controller, 1.0);
  CHECK(samples.front().t == 0.0);
  CHECK(samples.front().state.q(0) == 3.0);
  CHECK(samples.front().state.qd(0) == 0.0);
}

TEST_CASE("An experiment has a sample for each step that begins before the motion's end") {
  Scribe controller;
  CHECK(Samples(controller, 1.0).size() == 10);
  CHECK(Samples(controller, 0.3).size() == 3);  // 0.3/0.1 = 2.9999999999999996: rounded
}

TEST_CASE("A sample holds the state before its step, and the torque that acted in it") {
  Scribe controller;
  const std::vector<TrueSample> samples = Samples(controller, 1.0);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double k = static_cast<double>(i);
    // Semi-implicit Euler from rest under q̈ = 2: q_k = 3 + h²·k(k + 1), rounding only.
    CHECK(samples[i].state.q(0) == doctest::Approx(3.0 + 0.01 * k * (k + 1.0)).epsilon(1e-14));
    CHECK(samples[i].state.qdd(0) == 2.0);
    CHECK(samples[i].tau(0) == 2.0);
  }
}

TEST_CASE("A controller sees the time, desired state and feedback of the sample it acts in") {
  Scribe controller;
  const std::vector<TrueSample> samples = Samples(controller, 1.0);
  REQUIRE(controller.times.size() == samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double t = 0.1 * static_cast<double>(i);
    CHECK(controller.times[i] == t);
    CHECK(controller.desired_q[i] == 3.0 + t * t);
    CHECK(controller.fed_back_q[i] == samples[i].state.q(0));
  }
}

TEST_CASE("A controller that holds is asked once per hold, about the step in which it begins") {
  Scribe controller(0.3);  // 0.3/0.1 = 2.9999999999999996: rounded
  const std::vector<TrueSample> samples = Samples(controller, 1.0);
  CHECK(samples.size() == 10);
  REQUIRE(controller.times.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(controller.times[i] == 0.1 * static_cast<double>(3 * i));
    CHECK(controller.fed_back_q[i] == samples[3 * i].state.q(0));
  }
}

/// Lets go for 0.5 s.
class ReleasingScribe : public Scribe {
 public:
  using Scribe::Scribe;
  double released_s() const override { return 0.5; }
};

TEST_CASE("After the motion the experiment goes on while the controller lets go") {
  ReleasingScribe controller;
  const std::vector<TrueSample> samples = Samples(controller, 0.8);
  REQUIRE(samples.size() == 13);
  CHECK(controller.times.size() == 8);  // nothing is desired after it
  CHECK(samples[7].tau(0) == 2.0);
  for (std::size_t i = 8; i < samples.size(); ++i) {
    CHECK(samples[i].t == doctest::Approx(0.1 * static_cast<double>(i)).epsilon(1e-14));
    CHECK(samples[i].tau(0) == 0.0);
    CHECK(samples[i].state.qd(0) == samples[8].state.qd(0));
  }
}

TEST_CASE("A failure of a robot that was let go says so") {
  ReleasingScribe controller;
  CHECK_THROWS_WITH_AS(
      Samples(controller, 1.4),
      "out of rail; the controller let go at 1.4 s, and a shorter release ends before", PlantError);
  CHECK_THROWS_WITH_AS(Samples(controller, 2.0), "out of rail", PlantError);  // on its motion
}

TEST_CASE("A stop that is hit tells where the motion was") {
  Scribe controller;
  // A step late in velocity: q = 3.02, 3.06, …, 4.1 at 1 s, where the motion is at 4.
  CHECK_THROWS_WITH_AS(Samples(controller, 1.4, 4.05),
                       "stop hit; the motion is at 4 there, and the controller did not hold it",
                       PlantError);
  ReleasingScribe releasing;
  CHECK_THROWS_WITH_AS(
      Samples(releasing, 0.8, 4.05),
      "stop hit; the controller let go at 0.8 s, and a shorter release ends before", PlantError);
}

TEST_CASE("A failure of the robot ends the experiment") {
  Scribe controller;
  CHECK_THROWS_WITH_AS(Samples(controller, 2.0), "out of rail", PlantError);
}

}  // namespace
}  // namespace idbench
