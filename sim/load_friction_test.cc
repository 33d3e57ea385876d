#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "robots/plant/plant_error.h"
#include "sim/friction_step.h"
#include "sim/mujoco_robot.h"
#include "sim/rollout.h"
#include "sim/truth/all_shapes_test.h"
#include "sim/truth/presliding.h"
#include "sim/truth/true_dynamics.h"
#include "sim/two_link_test.h"

/// Simulated robots whose Coulomb friction grows with the load.
namespace idbench {
namespace {

constexpr double kWide = 0.2;  // w [rad/s]

TrueRobot LoadedTwoLink(const Eigen::Vector2d& load_coefficient,
                        const MujocoPlantOptions& options = {}) {
  TrueFriction friction = TwoLinkFriction();
  friction.load_coefficient = load_coefficient;
  return TrueRobot(CompileMjcf(TwoLinkMjcf()), {"joint1", "joint2"}, friction, options);
}

TEST_CASE("In an exact replay Coulomb friction grows by k·|ℓ|, of what links and rotors take") {
  const Eigen::Vector2d k(0.003, 0.2);
  const TwoLinkMotion motion(1.0);
  const Signals loaded = ReplayExactly(LoadedTwoLink(k), motion, 100.0);
  const Signals plain = ReplayExactly(TwoLink(), motion, 100.0);
  // ℓ is the torque of the same links and rotors without friction.
  const Signals load = ReplayExactly(TrueRobot(CompileMjcf(TwoLinkMjcf()), {"joint1", "joint2"},
                                               TrueFriction::None(2), MujocoPlantOptions()),
                                     motion, 100.0);
  double greatest = 0.0;
  for (Eigen::Index i = 0; i < loaded.time_s.size(); ++i) {
    for (Eigen::Index j = 0; j < 2; ++j) {
      const double expected =
          k(j) * std::abs(load[kJointTorque](i, j)) * std::tanh(plain[kJointVelocity](i, j) / 0.02);
      const double found = loaded[kJointTorque](i, j) - plain[kJointTorque](i, j);
      CHECK(std::abs(found - expected) < 1e-13);  // rounding of some 20 N·m
      greatest = std::max(greatest, std::abs(found));
    }
  }
  CHECK(greatest > 0.5);
}

TEST_CASE("A coefficient of 0 changes no bit") {
  const TwoLinkMotion motion(0.2);
  CHECK(ReplayExactly(LoadedTwoLink(Eigen::Vector2d::Zero()), motion, 100.0)[kJointTorque] ==
        ReplayExactly(TwoLink(), motion, 100.0)[kJointTorque]);
}

/// Greatest |τ − ID(q, q̇, q̈)| of samples under a torque that wavers [N·m].
/// @param counted  the load's friction is a part of ID.
double LoadResidual(const TrueRobot& robot, bool counted = true) {
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
    dynamics.SetTime(sample.t);
    dynamics.Torque(sample.state.q, sample.state.qd, sample.state.qdd, tau);
    presliding.Advance(q, sample.state.q);
    presliding.AddTorques(robot.FrictionFactor(sample.t), sample.state.qd, dynamics.load(), tau);
    q = sample.state.q;
    for (int i = 0; i < n && !counted; ++i) {
      const double shape =
          presliding.StateOf(i).value_or(robot.friction_shape().Coulomb(sample.state.qd(i)));
      tau(i) -=
          robot.friction().LoadTorque(i, dynamics.load()(i), shape, robot.FrictionFactor(sample.t));
    }
    greatest = std::max(greatest, (tau - sample.tau).lpNorm<Eigen::Infinity>());
  }
  return greatest;
}

TEST_CASE("Samples of a simulation satisfy the model with the friction of their load") {
  using enum FrictionIntegration;
  const PerJoint load{{0.2, 0.1, 0.3}};
  for (const double presliding_rad : {0.0, 0.002}) {
    CAPTURE(presliding_rad);
    const MismatchOptions mismatch{
        .presliding_rad = presliding_rad,
        .friction_warm_up = FrictionWarmUpOptions{.fraction = 0.5, .time_s = 0.3}};
    for (const char* integrator : {"implicitfast", "Euler", "implicit", "RK4", "discrete"}) {
      CAPTURE(integrator);
      const TrueRobot robot = AllShapes({.integrator = integrator}, mismatch, load);
      CHECK(LoadResidual(robot) < 1e-11);  // rounding, as without a load
      CHECK(LoadResidual(robot, false) > 0.1);
    }
    const TrueRobot robot = AllShapes({.friction_integration = kImplicit}, mismatch, load);
    CHECK(LoadResidual(robot) < 1e-11);
    CHECK(LoadResidual(robot, false) > 0.1);
  }
}

/// The torque that a replay tells, at all times.
class ReplayedLaw : public TorqueLaw {
 public:
  explicit ReplayedLaw(const TrueRobot& robot)
      : dynamics_(robot), motion_(1.0), state_(JointState::Zero(2)) {}
  void At(double t, Eigen::VectorXd& tau) const override {
    motion_.Evaluate(t, state_);
    dynamics_.Torque(state_.q, state_.qd, state_.qdd, tau);
  }

 private:
  mutable TrueDynamics dynamics_;
  TwoLinkMotion motion_;
  mutable JointState state_;
};

/// Greatest error of q against the motion whose torques a roll-out plays [rad].
double PlayedError(const MujocoPlantOptions& options) {
  const TrueRobot robot = LoadedTwoLink(Eigen::Vector2d(0.1, 0.2), options);
  const TwoLinkMotion motion(0.5);
  const Signals played = Simulate(robot, ReplayedLaw(robot), motion, 100.0);
  JointState state = JointState::Zero(2);
  double greatest = 0.0;
  for (Eigen::Index i = 0; i < played.time_s.size(); ++i) {
    motion.Evaluate(played.time_s(i), state);
    greatest = std::max(
        greatest, (played[kJointPosition].row(i).transpose() - state.q).lpNorm<Eigen::Infinity>());
  }
  return greatest;
}

TEST_CASE("A roll-out comes to the replay by the order of its step") {
  using enum FrictionIntegration;
  for (const FrictionIntegration integration : {kExplicit, kImplicit}) {
    CAPTURE(ToString(integration));
    const auto error = [&](double timestep_s) {
      return PlayedError({.timestep_s = timestep_s,
                          .coulomb_width_rad_s = kWide,
                          .friction_integration = integration});
    };
    const double coarse = error(0.001);
    CHECK(coarse < 0.01);
    CHECK(error(0.0005) / coarse == doctest::Approx(0.5).epsilon(0.05));  // of first order
    CHECK(error(0.00025) / coarse == doctest::Approx(0.25).epsilon(0.05));
  }
  const auto error = [](double timestep_s) {
    return PlayedError(
        {.timestep_s = timestep_s, .integrator = "RK4", .coulomb_width_rad_s = kWide});
  };
  // |ℓ| and the kink of its slope where a load changes its sign leave less than the fourth order.
  CHECK(error(0.001) < 1e-6);
  CHECK(error(0.0005) < 0.3 * error(0.001));
}

/// A light hinge with a mass of 0.2 kg at its tip, held up by its friction alone.
TrueRobot Tip(double load_coefficient, double timestep_s, FrictionIntegration integration) {
  TrueFriction friction = TrueFriction::None(1);
  friction.coulomb(0) = 0.3;
  friction.load_coefficient(0) = load_coefficient;
  return TrueRobot(CompileMjcf(R"(<mujoco><compiler angle="radian"/><worldbody><body>
      <inertial pos="0.1 0 0" mass="0.2" diaginertia="1e-6 1e-6 1e-6"/>
      <joint name="wrist" axis="0 1 0"/></body></worldbody></mujoco>)"),
                   {"wrist"}, friction,
                   {.timestep_s = timestep_s,
                    .coulomb_width_rad_s = 0.001,
                    .friction_integration = integration});
}

TEST_CASE("A joint that friction holds creeps without chattering, by the level of its load") {
  // g = 0.1962 N·m = (fc + k·g)·tanh(v/w); h·fc/I = 37 rad/s in a step: far beyond an explicit one.
  for (const double k : {0.003, 0.5, 0.9}) {
    CAPTURE(k);
    const TrueRobot robot = Tip(k, 0.00025, FrictionIntegration::kImplicit);
    MujocoRobot plant(robot);
    plant.Reset(Eigen::VectorXd::Zero(1), Eigen::VectorXd::Zero(1));
    TrueSample sample{0.0, JointState::Zero(1), Eigen::VectorXd::Zero(1)};
    for (int step = 0; step < 100; ++step) plant.Step(Eigen::VectorXd::Zero(1), sample);
    const double g = 0.2 * 9.81 * 0.1;
    // Within 25 ms the tip turns by 25 µrad.
    CHECK(sample.state.qd(0) ==
          doctest::Approx(0.001 * std::atanh(g / (0.3 + k * g))).epsilon(1e-6));
  }
}

/// The motion of a joint that stays at 0.
class AtRest : public Motion {
 public:
  double duration_s() const override { return 1.0; }
  void Evaluate(double, JointState& desired) const override { desired = JointState::Zero(1); }
  void Describe(CanonicalText& text) const override { text.Add("kind", "at_rest"); }
};

TEST_CASE("The step check counts the load of the motion, which makes friction steeper") {
  const auto message = [](double k, FrictionIntegration integration) -> std::string {
    try {
      CheckFrictionStep(Tip(k, 0.00025, integration), AtRest());
    } catch (const PlantError& error) {
      return error.what();
    }
    return "";
  };
  using enum FrictionIntegration;
  // I·w/fc = 0.002001·0.001/0.3, and with k·g = 0.0981 N·m half of I·w/(fc + k·g).
  CHECK(message(0.0, kExplicit).find("at most 6.67e-06 s does") != std::string::npos);
  CHECK(message(0.5, kExplicit).find("at most 2.51e-06 s does") != std::string::npos);
  CHECK(message(0.5, kImplicit).empty());
}

}  // namespace
}  // namespace idbench
