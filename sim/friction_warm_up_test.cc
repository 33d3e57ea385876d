#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "robots/control/computed_torque.h"
#include "robots/plant/plant_error.h"
#include "sim/friction_step.h"
#include "sim/mujoco_robot.h"
#include "sim/rollout.h"
#include "sim/truth/all_shapes_test.h"
#include "sim/truth/presliding.h"
#include "sim/truth/true_dynamics.h"
#include "sim/two_link_test.h"

/// Simulated robots whose friction warms up.
namespace idbench {
namespace {

constexpr double kFraction = 0.6, kTime = 0.3;  // ρ, T [s]

/// κ(t)
double Warmth(double t, double fraction = kFraction) {
  return 1.0 + fraction * (1.0 - std::exp(-t / kTime));
}

MismatchOptions Warming(double presliding_rad, double fraction = kFraction) {
  return {.presliding_rad = presliding_rad,
          .friction_warm_up = FrictionWarmUpOptions{.fraction = fraction, .time_s = kTime}};
}

/// Motion of the three joints of AllShapes().
class ThreeJoints : public Motion {
 public:
  double duration_s() const override { return 1.0; }
  void Evaluate(double t, JointState& desired) const override {
    const Eigen::Vector3d a(0.5, -0.3, 0.2);
    const double w = 7.3;
    desired.q = a * std::sin(w * t);
    desired.qd = a * (w * std::cos(w * t));
    desired.qdd = a * (-w * w * std::sin(w * t));
  }
  void Describe(CanonicalText& text) const override { text.Add("kind", "three_joints"); }
};

TEST_CASE("Friction is that of the start at 0, and 63 % of the change come within T") {
  for (const double fraction : {0.5, -0.4}) {
    const FrictionWarmUpOptions warm_up{.fraction = fraction, .time_s = 20.0};
    CHECK(warm_up.FactorAt(0.0) == 1.0);
    CHECK(warm_up.FactorAt(20.0) ==
          doctest::Approx(1.0 + fraction * 0.63212055882855767).epsilon(1e-15));
    CHECK(warm_up.FactorAt(1e5) == 1.0 + fraction);
    CHECK(warm_up.GreatestFactor() == std::max(1.0, 1.0 + fraction));
  }
}

TEST_CASE("A replay has κ(t) times the friction of joints and motors, and all else as it was") {
  for (const double presliding_rad : {0.0, 0.002}) {
    for (const double fraction : {kFraction, -0.7}) {
      CAPTURE(presliding_rad);
      CAPTURE(fraction);
      const TrueRobot cold = AllShapes({}, {.presliding_rad = presliding_rad});
      const ThreeJoints motion;
      const Signals before = ReplayExactly(cold, motion, 100.0);
      const Signals after =
          ReplayExactly(AllShapes({}, Warming(presliding_rad, fraction)), motion, 100.0);
      TrueDynamics dynamics(cold);
      JointState state = JointState::Zero(3);
      Eigen::VectorXd rest(3);
      double greatest = 0.0;
      for (Eigen::Index i = 0; i < before.time_s.size(); ++i) {
        // What is no friction: constant torques and rotor inertias of motors belong to it.
        motion.Evaluate(before.time_s(i), state);
        dynamics.Torque(state.q, state.qd, state.qdd, rest);
        for (const FrictionElement& element : FrictionElementsOf(cold)) {
          const double u = element.Speed(state.qd);
          const double torque = element.Torque(u, element.Level(u), 0.02);
          for (const Term::Share& share : element.shares)
            rest[share.joint] -= share.factor * torque;
        }
        const Eigen::VectorXd friction = before[kJointTorque].row(i).transpose() - rest;
        const Eigen::VectorXd change = (Warmth(before.time_s(i), fraction) - 1.0) * friction;
        const Eigen::VectorXd found =
            (after[kJointTorque].row(i) - before[kJointTorque].row(i)).transpose();
        CHECK((found - change).norm() < 1e-12);  // rounding of some 10 N·m
        greatest = std::max(greatest, change.norm());
      }
      CHECK(greatest > 0.5);
    }
  }
}

/// Greatest |τ − ID(q, q̇, q̈, t)| of samples under a torque that wavers [N·m].
/// @param at_start  with the friction of the start at all times.
double Residual(const TrueRobot& robot, bool at_start = false) {
  MujocoRobot plant(robot);
  const auto n = robot.dofs();
  plant.Reset(Eigen::VectorXd::Zero(n), Eigen::VectorXd::Constant(n, 0.5));
  TrueDynamics dynamics(robot);
  Presliding presliding(robot);
  TrueSample sample{0.0, JointState::Zero(n), Eigen::VectorXd::Zero(n)};
  Eigen::VectorXd q = Eigen::VectorXd::Zero(n), tau(n);
  double greatest = 0.0;
  for (int k = 0; k < 2000; ++k) {
    plant.Step(Eigen::VectorXd::Constant(n, 3.0 * std::sin(0.002 * k)), sample);
    const double t = at_start ? 0.0 : sample.t;
    dynamics.SetTime(t);
    dynamics.Torque(sample.state.q, sample.state.qd, sample.state.qdd, tau);
    presliding.Advance(q, sample.state.q);
    presliding.AddTorques(Warmth(t), sample.state.qd, dynamics.load(), tau);
    q = sample.state.q;
    greatest = std::max(greatest, (tau - sample.tau).lpNorm<Eigen::Infinity>());
  }
  return greatest;
}

TEST_CASE("Samples of a simulation satisfy the model with the friction of their time") {
  using enum FrictionIntegration;
  for (const double presliding_rad : {0.0, 0.002}) {
    for (const char* integrator : {"implicitfast", "Euler", "implicit", "RK4", "discrete"}) {
      CAPTURE(integrator);
      const TrueRobot robot = AllShapes({.integrator = integrator}, Warming(presliding_rad));
      CHECK(Residual(robot) < 1e-11);  // rounding, as without the warm-up
      CHECK(Residual(robot, true) > 0.1);
    }
    const TrueRobot robot = AllShapes({.friction_integration = kImplicit}, Warming(presliding_rad));
    CHECK(Residual(robot) < 1e-11);
    CHECK(Residual(robot, true) > 0.1);
  }
}

/// A turntable of 1 kg·m².
TrueRobot Table(const TrueFriction& friction, const MujocoPlantOptions& options,
                const MismatchOptions& mismatch, const std::string& inertia = "1") {
  return TrueRobot(CompileMjcf(R"(<mujoco><worldbody><body>
      <inertial pos="0 0 0" mass="1" diaginertia=")" +
                               inertia + " " + inertia + " " + inertia +
                               R"("/><joint name="hinge"/></body></worldbody></mujoco>)"),
                   {"hinge"}, friction, options, {.mismatch = mismatch});
}

TEST_CASE("Bristles of LuGre friction warm up with all other friction") {
  MismatchOptions mismatch = Warming(0.0);
  mismatch.lugre = LugreOptions{.stiffness_nm_rad = {{2000.0}},
                                .damping_nms_rad = {{60.0}},
                                .coulomb_nm = {{0.4}},
                                .static_nm = {{0.5}}};
  const TrueRobot robot = Table(TrueFriction::None(1), {}, mismatch);
  MujocoRobot plant(robot);
  TrueSample sample{0.0, JointState::Zero(1), Eigen::VectorXd::Zero(1)};
  plant.Reset(Eigen::VectorXd::Zero(1), Eigen::VectorXd::Zero(1));
  double z = 0.0, greatest = 0.0;
  for (int k = 0; k < 2000; ++k) {
    plant.Step(Eigen::VectorXd::Constant(1, 3.0 * std::sin(0.005 * k)), sample);
    const double qd = sample.state.qd(0);
    if (k > 0) z = mismatch.lugre->Advance(0, z, qd, plant.step_s());
    const double bristles = mismatch.lugre->Torque(0, z, qd);
    CHECK(std::abs(sample.tau(0) - sample.state.qdd(0) - Warmth(sample.t) * bristles) < 1e-12);
    greatest = std::max(greatest, std::abs((Warmth(sample.t) - 1.0) * bristles));
  }
  CHECK(greatest > 0.1);
}

/// No torque.
class Loose : public TorqueLaw {
 public:
  void At(double, Eigen::VectorXd& tau) const override { tau.setZero(); }
};

TEST_CASE("Each stage of Runge-Kutta has the friction of its time") {
  // q̈ = −κ(t)·fv·q̇:  q̇ = q̇₀·exp(−fv·∫κ),  ∫κ = t + ρ·(t − T·(1 − e^(−t/T)))
  TrueFriction friction = TrueFriction::None(1);
  friction.viscous(0) = 2.0;
  const auto error = [&](double h) {
    const TrueRobot robot = Table(friction, {.timestep_s = h, .integrator = "RK4"}, Warming(0.0));
    MujocoRobot plant(robot);
    TrueSample sample{0.0, JointState::Zero(1), Eigen::VectorXd::Zero(1)};
    plant.Reset(Eigen::VectorXd::Zero(1), Eigen::VectorXd::Constant(1, 3.0));
    const auto steps = static_cast<int>(std::lround(0.5 / h));
    for (int k = 0; k <= steps; ++k) plant.Step(Loose(), sample);
    const double rise = 1.0 - std::exp(-0.5 / kTime);
    return std::abs(sample.state.qd(0) -
                    3.0 * std::exp(-2.0 * (0.5 + kFraction * (0.5 - kTime * rise))));
  };
  CHECK(error(0.01) < 1e-8);
  CHECK(error(0.01) / error(0.02) == doctest::Approx(1.0 / 16.0).epsilon(0.1));
}

TEST_CASE("A joint that creeps against implicit friction has the acceleration of its creeping") {
  // At equilibrium κ·fc·tanh(u/w) = τ:  u̇ = −w·x/(1 − x²)·κ̇/κ,  x = τ/(κ·fc). With the friction of
  // a step's beginning at its end, κ̇·h·τ/(κ·I) = 0.08 rad/s² and more would come on top.
  TrueFriction friction = TrueFriction::None(1);
  friction.coulomb(0) = 0.16;
  const TrueRobot robot = Table(friction, {.friction_integration = FrictionIntegration::kImplicit},
                                Warming(0.0), "4e-4");
  MujocoRobot plant(robot);
  TrueSample sample{0.0, JointState::Zero(1), Eigen::VectorXd::Zero(1)};
  plant.Reset(Eigen::VectorXd::Zero(1), Eigen::VectorXd::Zero(1));
  for (int k = 0; k < 1000; ++k) {
    plant.Step(Eigen::VectorXd::Constant(1, 0.08), sample);
    if (k < 40) continue;  // from rest to equilibrium
    const double warmth = Warmth(sample.t), rate = (1.0 + kFraction - warmth) / kTime;
    const double x = 0.08 / (warmth * 0.16);
    CHECK(sample.state.qdd(0) ==
          doctest::Approx(-0.02 * x / (1.0 - x * x) * rate / warmth).epsilon(0.02));
  }
}

bool SameBits(const Signals& a, const Signals& b) {
  for (const auto channel : {kJointPosition, kJointVelocity, kJointAcceleration, kJointTorque}) {
    if (a[channel] != b[channel]) return false;
  }
  return a.time_s == b.time_s;
}

TEST_CASE("Friction that warms up by nothing gives the same records, bit for bit") {
  using enum FrictionIntegration;
  for (const FrictionIntegration integration : {kExplicit, kImplicit}) {
    for (const double presliding_rad : {0.0, 0.002}) {
      const auto simulated = [&](const MismatchOptions& mismatch) {
        const TrueRobot robot = AllShapes({.friction_integration = integration}, mismatch);
        TrueDynamics model(robot);
        ComputedTorque controller({}, [&](const auto& q, const auto& qd, const auto& qdd,
                                          auto& tau) { model.Torque(q, qd, qdd, tau); });
        return Simulate(robot, controller, ExactFeedback(), ThreeJoints(), 100.0);
      };
      const Signals plain = simulated({.presliding_rad = presliding_rad});
      CHECK(SameBits(plain, simulated(Warming(presliding_rad, 0.0))));
      CHECK_FALSE(SameBits(plain, simulated(Warming(presliding_rad, 1e-6))));
    }
  }
  const Signals plain = ReplayExactly(AllShapes(), ThreeJoints(), 100.0);
  CHECK(SameBits(plain, ReplayExactly(AllShapes({}, Warming(0.0, 0.0)), ThreeJoints(), 100.0)));
}

/// What the step check says of a table that rests.
std::string StepRefusal(const TrueRobot& robot) {
  class Rest : public Motion {
   public:
    double duration_s() const override { return 1.0; }
    void Evaluate(double, JointState& desired) const override { desired = JointState::Zero(1); }
    void Describe(CanonicalText& text) const override { text.Add("kind", "rest"); }
  };
  try {
    CheckFrictionStep(robot, Rest());
  } catch (const PlantError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("The step has to do for the greatest friction of all times") {
  // h·κ·fc/w = 0.75·κ, and with presliding h²·2·κ·fc/x_s = 0.9·κ, x_s = 8.33e-6.
  TrueFriction friction = TrueFriction::None(1);
  friction.coulomb(0) = 60.0;
  for (const double presliding_rad : {0.0, 60.0 * 2.0 * 0.00025 * 0.00025 / 0.9}) {
    CHECK(StepRefusal(Table(friction, {}, Warming(presliding_rad, 0.0))).empty());
    CHECK(StepRefusal(Table(friction, {}, Warming(presliding_rad, -0.9))).empty());
    CHECK(StepRefusal(Table(friction, {}, Warming(presliding_rad, 0.05))).empty());
    CHECK(StepRefusal(Table(friction, {}, Warming(presliding_rad, 0.5)))
              .starts_with("friction of joint 'hinge' would chatter: timestep_s is 0.00025 s, at "
                           "most 0.0002"));
  }
  // h²·κ·σ0 = 0.75·κ of bristles.
  MismatchOptions bristled = Warming(0.0, 0.3);
  bristled.lugre = LugreOptions{.stiffness_nm_rad = {{1.2e7}}, .static_nm = {{1.0}}};
  CHECK(StepRefusal(Table(TrueFriction::None(1), {}, bristled)).empty());
  bristled.friction_warm_up->fraction = 0.5;
  CHECK_FALSE(StepRefusal(Table(TrueFriction::None(1), {}, bristled)).empty());
}

}  // namespace
}  // namespace idbench
