#include "sim/truth/true_dynamics.h"

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
      CHECK(std::abs(tau(j) - data->qfrc_inverse[j] - robot.FrictionTorque(j, state.qd(j), 1.0)) <
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

/// A link that hangs on a hinge about y, with an IMU.
TrueRobot Sensed(const TrueImu& imu) {
  TrueParts parts;
  parts.imu = imu;
  return TrueRobot(CompileMjcf(R"(<mujoco><compiler angle="radian"/>
      <option gravity="0 0 -9.81"/><worldbody><body pos="0 0 2">
      <inertial pos="0.1 0 -0.5" mass="2" diaginertia="0.01 0.02 0.01"/>
      <joint name="hinge" axis="0 1 0"/></body></worldbody></mujoco>)"),
                   {"hinge"}, TrueFriction::None(1), {}, parts);
}

TEST_CASE("An IMU reads what a pendulum's point accelerates, and what holds it against gravity") {
  // At r along −z of a link turned by q about y: l·q̈ along −x, l·q̇² along z, and gravity.
  const double l = 0.3, q = 0.7, qd = -1.4, qdd = 5.0;
  const TrueRobot robot = Sensed({1, Eigen::Vector3d(0.0, 0.2, -l)});
  TrueDynamics dynamics(robot);
  const auto one = [](double value) { return Eigen::VectorXd::Constant(1, value); };
  const ImuReading reading = dynamics.Imu(one(q), one(qd), one(qdd));
  const Eigen::Vector3d expected(-l * qdd - 9.81 * std::sin(q), 0.0,
                                 l * qd * qd + 9.81 * std::cos(q));
  CHECK((reading.acceleration - expected).norm() < 1e-13);  // rounding of numbers up to 10
  CHECK(reading.angular_velocity == Eigen::Vector3d(0.0, qd, 0.0));
  // At rest it reads what holds it, upwards.
  const ImuReading rest = dynamics.Imu(one(0.0), one(0.0), one(0.0));
  CHECK((rest.acceleration - Eigen::Vector3d(0.0, 0.0, 9.81)).norm() < 1e-13);
}

TEST_CASE("A distance meter reads the way to the plane through the base's origin, or nothing") {
  // Fixed at 0.5 m on a link that leans by q from the vertical through its foot, looking back down
  // at an angle γ to it: the law of sines in the triangle of foot, sensor and spot, d1/sin α =
  // d2/sin β, and q = atan2(d2 − d1·cos γ, d1·sin γ) of Dolinský & Čelikovský, (52)-(54).
  const double d2 = 0.5, gamma = 0.6;
  TrueParts parts;
  parts.distance_meter = TrueDistanceMeter{2, Eigen::Vector3d(0.0, 0.0, d2),
                                           Eigen::Vector3d(std::sin(gamma), 0.0, -std::cos(gamma))};
  parts.base = {.body = 1, .mass = 0.0};
  const TrueRobot robot(CompileMjcf(R"(<mujoco><compiler angle="radian"/>
      <option gravity="0 0 -9.81"/><worldbody><body pos="0 0 2"><body>
      <inertial pos="0 0 0.5" mass="2" diaginertia="0.01 0.02 0.01"/>
      <joint name="foot" axis="0 1 0"/></body></body></worldbody></mujoco>)"),
                        {"foot"}, TrueFriction::None(1), {}, parts);
  TrueDynamics dynamics(robot);
  for (const double q : {-0.4, 0.0, 0.35}) {
    const auto d1 = dynamics.Distance(Eigen::VectorXd::Constant(1, q));
    REQUIRE(d1);
    // Closed form: rounding.
    CHECK(std::abs(std::atan2(d2 - *d1 * std::cos(gamma), *d1 * std::sin(gamma)) - q) < 1e-14);
  }
  // Leaning back by more than π/2 − γ, it looks above the horizon.
  CHECK_FALSE(dynamics.Distance(Eigen::VectorXd::Constant(1, -1.1)));
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
