#include "sim/truth/presliding.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "robots/plant/plant_error.h"
#include "sim/friction_step.h"
#include "sim/rollout.h"
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
  for (double turn = 0.5 * half_turn; turn < phase; turn += half_turn) {  // NOLINT(*-FloatLoop*)
    slide(amplitude * std::sin(turn));
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
    CHECK(std::abs(tau(0) - state.qdd(0) - plain.FrictionTorque(0, state.qd(0))) < 1e-14);
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
