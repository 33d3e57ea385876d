#include "sim/truth/presliding.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "robots/plant/plant_error.h"
#include "sim/friction_step.h"
#include "sim/mujoco_robot.h"
#include "sim/rollout.h"
#include "sim/truth/all_shapes_test.h"
#include "sim/truth/true_dynamics.h"
#include "sim/two_link_test.h"

namespace idbench {
namespace {

constexpr double kPresliding = 0.002;  // x_s [rad]

/// A turntable of 1 kg·m² with friction, without gravity or limits.
TrueRobot Slider(double coulomb, double viscous = 0.0, const MujocoPlantOptions& options = {},
                 double presliding_rad = kPresliding) {
  TrueFriction friction = TrueFriction::None(1);
  friction.coulomb(0) = coulomb;
  friction.viscous(0) = viscous;
  return TrueRobot(CompileMjcf(R"(<mujoco><worldbody><body>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="hinge"/></body></worldbody>
      </mujoco>)"),
                   {"hinge"}, friction, options, {.mismatch = {.presliding_rad = presliding_rad}});
}

/// q = a·sin(w·t), all joints in phase.
class Swing : public Motion {
 public:
  Swing(Eigen::VectorXd a, double w, double duration_s)
      : a_(std::move(a)), w_(w), duration_s_(duration_s) {}
  double duration_s() const override { return duration_s_; }
  void Evaluate(double t, JointState& desired) const override {
    desired.q = a_ * std::sin(w_ * t);
    desired.qd = a_ * (w_ * std::cos(w_ * t));
    desired.qdd = a_ * (-w_ * w_ * std::sin(w_ * t));
  }
  void Describe(CanonicalText& text) const override { text.Add("kind", "swing"); }

 private:
  Eigen::VectorXd a_;
  double w_, duration_s_;
};

/// z of a direction whose travel from the start is amplitude·sin(phase), by its closed form: from
/// turn to turn, z = s + (z₀ − s)·e^(−|Δ|/x_s).
double ClosedForm(double amplitude, double phase) {
  const double half_turn = std::acos(-1.0);
  double z = 0.0, from = 0.0;
  double s = amplitude > 0.0 ? 1.0 : -1.0;
  const auto slide = [&](double to) {
    z = s + (z - s) * std::exp(-std::abs(to - from) / kPresliding);
    from = to;
  };
  const auto turns = static_cast<int>(std::ceil(phase / half_turn - 0.5));
  for (int k = 0; k < turns; ++k) {
    slide(amplitude * std::sin((k + 0.5) * half_turn));
    s = -s;
  }
  slide(amplitude * std::sin(phase));
  return z;
}

TEST_CASE("On a sine the friction of presliding has its closed form, just behind turns too") {
  for (const double amplitude : {0.5, 0.003, 0.0005}) {
    CAPTURE(amplitude);
    const double w = 7.3;  // no turn falls on a sample or on a step
    const Signals signals =
        ReplayExactly(Slider(0.8), Swing(Eigen::VectorXd::Constant(1, amplitude), w, 3.0), 400.0);
    for (Eigen::Index i = 0; i < signals.time_s.size(); ++i) {
      const double phase = w * signals.time_s(i);
      const double expected =
          -amplitude * w * w * std::sin(phase) + 0.8 * ClosedForm(amplitude, phase);
      // Rounding of positions of 0.5 rad over 2 mrad, and of torques of 27 N·m.
      CHECK(std::abs(signals[kJointTorque](i, 0) - expected) < 1e-12);
    }
  }
}

TEST_CASE("Samples that are far apart see all the turns between them") {
  const double w = 40.0;  // 6.4 turns a period
  const Swing motion(Eigen::VectorXd::Constant(1, 0.004), w, 4.0);
  const Signals rare = ReplayExactly(Slider(0.8), motion, 1.0);
  for (Eigen::Index i = 0; i < rare.time_s.size(); ++i) {
    const double phase = w * rare.time_s(i);
    CHECK(std::abs(rare[kJointTorque](i, 0) + 0.004 * w * w * std::sin(phase) -
                   0.8 * ClosedForm(0.004, phase)) < 1e-12);
  }
}

TEST_CASE("A cycle of friction takes the energy of its hysteresis") {
  // ∮ c·z dq = 4·c·(A − x_s·tanh(A/x_s)) once z is periodic: a third power of A for small A.
  for (const double amplitude : {0.05, 0.002, 0.0002}) {
    CAPTURE(amplitude);
    const double w = 2.0 * std::acos(-1.0);  // a cycle a second
    constexpr int kSamples = 20'000;         // a second
    // Of small cycles z forgets its start by e^(−4A/x_s) a cycle.
    const int last = amplitude < 0.001 ? 60 : 4;
    Presliding presliding(Slider(0.8));
    const Swing motion(Eigen::VectorXd::Constant(1, amplitude), w, 1.0 + last);
    presliding.Follow(motion, 0.0, last - 1.0);
    double work = 0.0, before = 0.0;
    JointState state = JointState::Zero(1);
    motion.Evaluate(last - 1.0, state);
    double q_before = state.q(0);
    for (int k = 0; k <= kSamples; ++k) {
      const double t = last - 1.0 + static_cast<double>(k) / kSamples;
      presliding.Follow(motion, t - 1.0 / kSamples * (k > 0 ? 1.0 : 0.0), t);
      motion.Evaluate(t, state);
      Eigen::VectorXd friction = Eigen::VectorXd::Zero(1);
      presliding.AddTorques(1.0, state.qd, Eigen::VectorXd::Zero(1), friction);
      friction(0) += 0.8 * std::tanh(state.qd(0) / 0.02);  // s(u), which it replaces
      if (k > 0) work += 0.5 * (before + friction(0)) * (state.q(0) - q_before);
      before = friction(0);
      q_before = state.q(0);
    }
    const double closed =
        4.0 * 0.8 * (amplitude - kPresliding * std::tanh(amplitude / kPresliding));
    CHECK(closed > 0.0);
    CHECK(work == doctest::Approx(closed).epsilon(1e-3));  // the trapezoidal rule
  }
}

TEST_CASE("Joints, motors and their terms preslide each in its direction, sides apart") {
  const MismatchOptions mismatch{.presliding_rad = kPresliding};
  const TrueRobot robot = AllShapes({}, mismatch);
  // b has viscous friction alone, so that its speed needs no z.
  const Eigen::Vector3d a(0.02, -0.015, 0.004);
  const double w = 5.1;
  const Swing motion(a, w, 2.0);
  const Signals signals = ReplayExactly(robot, motion, 200.0);
  TrueDynamics dynamics(robot);
  JointState state = JointState::Zero(3);
  Eigen::VectorXd tau(3);
  double greatest = 0.0;
  for (Eigen::Index i = 0; i < signals.time_s.size(); ++i) {
    motion.Evaluate(signals.time_s(i), state);
    dynamics.Torque(state.q, state.qd, state.qdd, tau);
    for (const FrictionElement& element : FrictionElementsOf(robot)) {
      const double u = element.Speed(state.qd), level = element.Level(u);
      const double z = ClosedForm(element.Speed(a), w * signals.time_s(i));
      const double side = element.side == FrictionElement::Side::kBoth       ? z
                          : element.side == FrictionElement::Side::kPositive ? std::max(z, 0.0)
                                                                             : std::min(z, 0.0);
      const double change =
          element.viscous * element.Acting(u) + level * side - element.Torque(u, level, 0.02);
      for (const Term::Share& share : element.shares) tau[share.joint] += share.factor * change;
      greatest = std::max(greatest, std::abs(change));
    }
    CHECK((tau - signals[kJointTorque].row(i).transpose()).norm() < 1e-12);  // rounding
  }
  CHECK(greatest > 0.1);
}

TEST_CASE("Without presliding a replay has the friction that it had") {
  const Swing motion(Eigen::VectorXd::Constant(1, 0.3), 3.0, 0.5);
  const TrueRobot plain = Slider(0.8, 0.1, {}, 0.0);
  CHECK_FALSE(Presliding(plain).acts());
  CHECK_FALSE(Presliding(Slider(0.0, 0.1)).acts());
  const Signals signals = ReplayExactly(plain, motion, 100.0);
  TrueDynamics dynamics(plain);
  JointState state = JointState::Zero(1);
  Eigen::VectorXd tau(1);
  for (Eigen::Index i = 0; i < signals.time_s.size(); ++i) {
    motion.Evaluate(signals.time_s(i), state);
    dynamics.Torque(state.q, state.qd, state.qdd, tau);
    CHECK(signals[kJointTorque](i, 0) == tau(0));
    CHECK(std::abs(tau(0) - state.qdd(0) - plain.FrictionTorque(0, state.qd(0), 1.0)) < 1e-14);
  }
}

/// Steps with the torques τ(t) from rest.
std::vector<TrueSample> Push(const TrueRobot& robot, int steps,
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

/// The states of samples, linear between them.
class AsSampled : public Motion {
 public:
  explicit AsSampled(const std::vector<TrueSample>& samples) : samples_(samples) {}
  double duration_s() const override { return samples_.back().t; }
  void Evaluate(double t, JointState& desired) const override {
    const double at = t / samples_[1].t;
    const auto k = std::min(static_cast<std::size_t>(at + 1e-6), samples_.size() - 2);
    const JointState &a = samples_[k].state, &b = samples_[k + 1].state;
    const double part =
        std::max(at - static_cast<double>(k), 0.0) < 1e-6 ? 0.0 : at - static_cast<double>(k);
    desired.q = a.q + part * (b.q - a.q);
    desired.qd = a.qd + part * (b.qd - a.qd);
    desired.qdd = a.qdd + part * (b.qdd - a.qdd);
  }
  void Describe(CanonicalText& text) const override { text.Add("kind", "as_sampled"); }

 private:
  const std::vector<TrueSample>& samples_;
};

TEST_CASE("A simulated robot has the torques of an exact replay of its motion") {
  for (const FrictionIntegration integration :
       {FrictionIntegration::kExplicit, FrictionIntegration::kImplicit}) {
    const TrueRobot robot =
        AllShapes({.friction_integration = integration}, {.presliding_rad = kPresliding});
    const std::vector<TrueSample> samples =
        Push(robot, 8000, [](double t) { return 3.0 * std::sin(9.0 * t); });
    const double rate_hz = 1.0 / robot.options().timestep_s;
    const Signals replayed = ReplayExactly(robot, AsSampled(samples), rate_hz);
    REQUIRE(replayed.time_s.size() == 7999);
    double greatest = 0.0;
    int turns = 0;
    for (std::size_t k = 0; k < 7999; ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      greatest = std::max(
          greatest,
          (replayed[kJointTorque].row(i).transpose() - samples[k].tau).lpNorm<Eigen::Infinity>());
      if (k > 0) turns += samples[k].state.qd(0) * samples[k - 1].state.qd(0) < 0.0 ? 1 : 0;
    }
    CHECK(turns > 3);
    // Between its steps the robot goes straight: only rounding is left, of torques of some 10 N·m.
    CHECK(greatest < 1e-12);
  }
}

TEST_CASE("Below Coulomb friction a robot gives way like a spring, and stays; above it slides") {
  // 0.5·(1 − e^(−q/x_s)) = 0.3 at rest, if q never turned: the torque rises slowly, and viscous
  // friction damps the oscillation.
  const std::vector<TrueSample> held =
      Push(Slider(0.5, 30.0), 60'000, [](double t) { return 0.3 * std::min(t / 5.0, 1.0); });
  CHECK(held.back().state.q(0) ==
        doctest::Approx(-kPresliding * std::log(1.0 - 0.6)).epsilon(1e-6));
  CHECK(std::abs(held.back().state.qd(0)) < 1e-9);
  const std::vector<TrueSample> slides = Push(Slider(0.5), 4000, [](double) { return 1.5; });
  CHECK(slides.back().state.qdd(0) == doctest::Approx(1.0).epsilon(1e-9));  // z = 1
}

TEST_CASE("A reset begins with z = 0") {
  const TrueRobot robot = Slider(0.5);
  MujocoRobot plant(robot);
  TrueSample sample{0.0, JointState::Zero(1), Eigen::VectorXd::Zero(1)};
  for (int run = 0; run < 2; ++run) {
    plant.Reset(Eigen::VectorXd::Zero(1), Eigen::VectorXd::Constant(1, 3.0));
    plant.Step(Eigen::VectorXd::Zero(1), sample);
    CHECK(std::abs(sample.state.qdd(0)) < 1e-15);  // rounding of c·s − c·s
    for (int k = 0; k < 100; ++k) plant.Step(Eigen::VectorXd::Zero(1), sample);
    CHECK(sample.state.qdd(0) == doctest::Approx(-0.5).epsilon(1e-6));
  }
}

TEST_CASE("With implicit friction, viscous friction is implicit beside presliding") {
  // h·fv/I = 2.5: an explicit step would grow.
  const TrueRobot robot =
      Slider(0.5, 10'000.0, {.friction_integration = FrictionIntegration::kImplicit});
  const std::vector<TrueSample> samples = Push(robot, 4000, [](double) { return 4.0; });
  CHECK(samples.back().state.qd(0) == doctest::Approx(3.5e-4).epsilon(0.3));
  for (std::size_t k = 1; k < samples.size(); ++k) {
    REQUIRE(samples[k].state.qd(0) > 0.0);
    REQUIRE(samples[k].state.qd(0) < 4.1e-4);
  }
}

std::string StepMessage(const TrueRobot& robot) {
  try {
    CheckFrictionStep(robot, Swing(Eigen::VectorXd::Zero(robot.dofs()), 1.0, 1.0));
  } catch (const PlantError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("A step too long for the spring of a reversal is refused with what does") {
  // h²·2·fc/x_s = 1 at 1 kg·m²: h = 2.5e-4 with x_s = 1e-7, fc = 0.8; 2.24e-5 with x_s = 1e-9, fc
  // = 1.
  CHECK(StepMessage(Slider(0.79, 0.0, {}, 1e-7)).empty());
  const std::string tail =
      "friction of joint 'hinge' would chatter: timestep_s is 0.00025 s, at most 2.24e-05 s does; "
      "or give the joint its rotor inertia, or take a larger presliding_rad than 1e-09";
  CHECK(StepMessage(Slider(1.0, 0.0, {}, 1e-9)) == tail);
  CHECK(StepMessage(Slider(1.0, 0.0, {.friction_integration = FrictionIntegration::kImplicit},
                           1e-9)) == tail);
  // The width of s(u), which has no part, cures nothing.
  CHECK(StepMessage(Slider(1.0, 5000.0)) ==
        "friction of joint 'hinge' would chatter: timestep_s is 0.00025 s, at most 0.0002 s does; "
        "or set /plant/friction_integration to \"implicit\", or give the joint its rotor inertia");
}

}  // namespace
}  // namespace idbench
