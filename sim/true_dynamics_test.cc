#include "sim/true_dynamics.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/two_link_test.h"

namespace idbench {
namespace {

TEST_CASE("A pendulum has the torque of its closed form") {
  // Point-like mass m at distance l below the axis: τ = (m·l² + I + ia)·q̈ + m·g·l·sin q.
  TrueFriction friction = TrueFriction::None(1);
  friction.viscous(0) = 0.7;
  const TrueRobot robot(CompileMjcf(R"(<mujoco><compiler angle="radian"/>
      <option gravity="0 0 -9.81"/><worldbody><body>
      <inertial pos="0 0 -0.5" mass="2" diaginertia="0.01 0.02 0.01"/>
      <joint name="hinge" axis="0 1 0" armature="0.3"/></body></worldbody></mujoco>)"),
                        {"hinge"}, friction, {});
  TrueDynamics dynamics(robot);
  const Eigen::VectorXd q = Eigen::VectorXd::Constant(1, 0.4);
  const Eigen::VectorXd qd = Eigen::VectorXd::Constant(1, 1.5);
  const Eigen::VectorXd qdd = Eigen::VectorXd::Constant(1, -2.0);
  Eigen::VectorXd tau(1);
  dynamics.Torque(q, qd, qdd, tau);
  const double inertia = 2.0 * 0.25 + 0.02 + 0.3;
  // Closed form: rounding only.
  CHECK(tau(0) == doctest::Approx(-2.0 * inertia + 2.0 * 9.81 * 0.5 * std::sin(0.4) + 0.7 * 1.5)
                      .epsilon(1e-14));
  Eigen::MatrixXd M(1, 1);
  dynamics.MassMatrix(q, M);
  CHECK(M(0, 0) == doctest::Approx(inertia).epsilon(1e-14));
}

TEST_CASE("Torque is mj_inverse plus friction") {
  const TrueRobot robot = TwoLink();
  const ModelPtr model = CompileMjcf(TwoLinkMjcf());
  const DataPtr data(mj_makeData(model.get()));
  TrueDynamics dynamics(robot);
  JointState state = JointState::Zero(2);
  Eigen::VectorXd tau(2);
  const TwoLinkMotion motion(2.0);
  for (int i = 0; i < 50; ++i) {
    motion.Evaluate(0.04 * i, state);
    dynamics.Torque(state.q, state.qd, state.qdd, tau);
    for (int j = 0; j < 2; ++j) {
      data->qpos[j] = state.q(j);
      data->qvel[j] = state.qd(j);
      data->qacc[j] = state.qdd(j);
    }
    mj_inverse(model.get(), data.get());
    for (int j = 0; j < 2; ++j) {
      // The same recursion in another order: rounding of numbers up to 30.
      CHECK(std::abs(tau(j) - data->qfrc_inverse[j] - robot.FrictionTorque(j, state.qd(j))) <
            1e-13);
    }
  }
}

TEST_CASE("Columns of the mass matrix are torques of unit accelerations") {
  const TrueRobot robot = TwoLink();
  TrueDynamics dynamics(robot);
  const Eigen::VectorXd q = Eigen::Vector2d(0.3, -0.9);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(2);
  Eigen::MatrixXd M(2, 2);
  dynamics.MassMatrix(q, M);
  Eigen::VectorXd at_rest(2);
  dynamics.Torque(q, zero, zero, at_rest);
  for (int j = 0; j < 2; ++j) {
    Eigen::VectorXd tau(2);
    dynamics.Torque(q, zero, Eigen::VectorXd::Unit(2, j), tau);
    CHECK((tau - at_rest - M.col(j)).norm() < 1e-13);  // rounding of gravity torques up to 20
  }
}

TEST_CASE("Another order of the joints permutes all vectors") {
  const TrueRobot reversed(CompileMjcf(TwoLinkMjcf()), {"joint2", "joint1"}, TrueFriction::None(2),
                           {});
  const TrueRobot plain(CompileMjcf(TwoLinkMjcf()), {"joint1", "joint2"}, TrueFriction::None(2),
                        {});
  const Eigen::VectorXd q = Eigen::Vector2d(0.3, -0.9);
  const Eigen::VectorXd qd = Eigen::Vector2d(1.0, -2.0);
  const Eigen::VectorXd qdd = Eigen::Vector2d(3.0, 5.0);
  Eigen::VectorXd tau(2);
  Eigen::VectorXd tau_reversed(2);
  TrueDynamics(plain).Torque(q, qd, qdd, tau);
  TrueDynamics(reversed).Torque(q.reverse(), qd.reverse(), qdd.reverse(), tau_reversed);
  CHECK(tau_reversed == tau.reverse());
  Eigen::MatrixXd M(2, 2);
  Eigen::MatrixXd M_reversed(2, 2);
  TrueDynamics(plain).MassMatrix(q, M);
  TrueDynamics(reversed).MassMatrix(q.reverse(), M_reversed);
  CHECK(M_reversed == M.reverse());
}

}  // namespace
}  // namespace idbench
