#include <doctest/doctest.h>

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <vector>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/robot.h"
#include "scenarios/motion/trajectory/torque_replay.h"
#include "sim/rollout.h"
#include "sim/truth/compile_truth.h"
#include "sim/truth/true_dynamics.h"

/// The walkers of Dolinský & Čelikovský, IEEE TCST 26(5), 2018, against their printed models.
namespace idbench {
namespace {

constexpr double kGravity = 9.81;

using Vector3 = Eigen::Vector3d;

/// τ of (57)-(59), with β of (58) for the lengths and masses of (57).
Vector3 BipedTorque(const Vector3& q, const Vector3& v, const Vector3& a) {
  const std::array<double, 9> b = {0,
                                   1 * 5 + 1 * 25 + 0.25 * 5,
                                   5 * 0.25,
                                   1.5 + 25 * 0.04,
                                   1 * 0.5 * 5,
                                   1 * 0.2 * 25,
                                   kGravity * (5 + 25 + 0.5 * 5),
                                   kGravity * 0.5 * 5,
                                   kGravity * 0.2 * 25};
  const double c2 = std::cos(q[1]), c3 = std::cos(q[2]);
  const double s2 = std::sin(q[1]), s3 = std::sin(q[2]);
  const double s1 = std::sin(q[0]), s12 = std::sin(q[0] + q[1]), s13 = std::sin(q[0] + q[2]);
  Eigen::Matrix3d D, C;
  D << b[1] + b[2] + b[3] + 2 * b[4] * c2 + 2 * b[5] * c3, b[2] + b[4] * c2, b[3] + b[5] * c3,  //
      b[2] + b[4] * c2, b[2], 0,                                                                //
      b[3] + b[5] * c3, 0, b[3];
  C << -b[4] * v[1] * s2 - b[5] * v[2] * s3, -b[4] * s2 * (v[0] + v[1]),
      -b[5] * s3 * (v[0] + v[2]),  //
      b[4] * v[0] * s2, 0, 0,      //
      b[5] * v[0] * s3, 0, 0;
  const Vector3 G(-b[6] * s1 - b[7] * s12 - b[8] * s13, -b[7] * s12, -b[8] * s13);
  return D * a + C * v + G;
}

/// τ of (62) without friction, for the leg's β.
Eigen::Vector2d LegTorque(const Eigen::Vector2d& q, const Eigen::Vector2d& v,
                          const Eigen::Vector2d& a) {
  const double b1 = 0.23384, b2 = 0.0464, b3 = 0.072, b4 = 0.688, b5 = 0.18;
  const double c2 = std::cos(q[1]), s2 = std::sin(q[1]);
  Eigen::Matrix2d D, C;
  D << b1 + b2 + 2 * b3 * c2, b2 + b3 * c2, b2 + b3 * c2, b2;
  C << -2 * b3 * s2 * v[1], -b3 * s2 * v[1], b3 * s2 * v[0], 0;
  const double both = b5 * kGravity * std::sin(q[0] + q[1]);
  return D * a + C * v + Eigen::Vector2d(b4 * kGravity * std::sin(q[0]) + both, both);
}

TEST_CASE("The biped of the catalogue is the printed model") {
  const Robot robot = LoadRobot("biped3");
  CHECK(robot.model.joint_names() == std::vector<std::string>{"q1", "q2", "q3"});
  CHECK(robot.model.actuation().names == std::vector<std::string>{"hip_stance", "hip_swing"});
  CHECK(robot.model.actuation().B == Eigen::MatrixXd{{0.0, 0.0}, {0.0, -1.0}, {1.0, 1.0}});
  const TrueRobot truth = CompileTruth(robot, robot.FindSet("")->pi, {});
  TrueDynamics dynamics(truth);
  const FixedStates states = MakeFixedStates(robot.model, 50, 3);
  Eigen::VectorXd tau(3);
  for (Eigen::Index k = 0; k < 50; ++k) {
    const Vector3 q = states.q.row(k), qd = states.qd.row(k), qdd = states.qdd.row(k);
    dynamics.Torque(q, qd, qdd, tau);
    // The legs' own 1e-9 kg·m², which a point does not have, and rounding.
    const double bound = 2e-9 * qdd.lpNorm<1>() + 1e-12 * tau.norm();
    CHECK((tau - BipedTorque(q, qd, qdd)).cwiseAbs().maxCoeff() < bound);
  }
}

TEST_CASE("The leg of the catalogue is the printed model, friction included") {
  const Robot robot = LoadRobot("leg2");
  CHECK(robot.model.actuation().B == Eigen::MatrixXd{{0.0}, {1.0}});
  const double w = 0.05;  // of the tanh that stands for sign
  const TrueRobot truth = CompileTruth(robot, robot.FindSet("")->pi, {.coulomb_width_rad_s = w});
  TrueDynamics dynamics(truth);
  const FixedStates states = MakeFixedStates(robot.model, 50, 4);
  Eigen::VectorXd tau(2);
  for (Eigen::Index k = 0; k < 50; ++k) {
    const Eigen::Vector2d q = states.q.row(k), qd = states.qd.row(k), qdd = states.qdd.row(k);
    dynamics.Torque(q, qd, qdd, tau);
    const Eigen::Vector2d friction(0.02 * qd[0] + 0.02 * std::tanh(qd[0] / w),
                                   0.05 * qd[1] + 0.15 * std::tanh(qd[1] / w));
    CHECK((tau - LegTorque(q, qd, qdd) - friction).norm() < 1e-12 * tau.norm());  // rounding
  }
}

/// A step of the biped: initial state, the coefficients of its two torques, and its end state.
struct Gait {
  std::vector<double> q, qd, u1, u2;
  Eigen::Vector<double, 6> end;
};

/// The project's own motions for the study, in which the paper gives none; end states to 4
/// decimals.
const std::vector<Gait>& Gaits() {
  static const std::vector<Gait> gaits = {
      {{-0.3927, 3.927, 0.9163},
       {1.056, -1.3728, 1.2144},
       {-34.6994, 24.8131, -6.8393, 0.5922, 1.1033, -0.2713, 0.0668, -0.0175, 0.0039},
       {4.6185, 9.1756, 4.0687, -1.3465, -0.1698, -0.1124, -0.0215, 0.0106, -0.0054},
       {0.3935, 2.3558, 0.1335, 1.7286, -3.5099, -1.8910}},
      {{-0.3927, 3.927, 0.9163},
       {1.42, 3.4, -0.7},
       {-42.7719, 36.6241, -27.4759, 6.4159, 8.4951, -5.7072, 1.1976, 0.1476, -0.118, 0.0168,
        0.0168},
       {19.9956, -18.3253, 28.9376, -9.0701, -5.7891, 5.5418, -1.9777, 0.1384, 0.2658, -0.2081,
        0.0651},
       {0.3704, 2.4081, 0.2089, 1.6680, -3.2463, -1.6493}},
      {{-0.3927, 3.9415, 0.4447},
       {1.1605, 0.3005, 0.7436},
       {-53.4405, -50.0194, -25.6333, 33.5734, 64.8992, -6.8402, -14.0236, -0.6897, 0.8898, 0.5146,
        -0.0317, -0.4582, -0.2378},
       {8.3189, 14.6659, 13.6595, -5.2267, -13.812, 4.3259, 2.7409, -2.7027, -1.703, 0.689, 0.7932,
        0.1372, -0.1633},
       {0.1326, 2.8264, 0.6749, 1.8521, -4.3761, -6.0906}},
      {{-0.3, 3.6, 0.6},
       {0.95, -0.4, 0.2},
       {-22.4102, 6.6674, 1.8592, -1.4527, 0.5219, -0.0048, -0.0028, 0.0018, -0.0005},
       {3.3044, 8.8206, 1.6795, 0.5663, -0.3417, -0.0272, -0.0119, -0.0018, -0.0002},
       {0.3171, 2.6463, 0.0982, 1.3873, -2.9320, -1.5389}}};
  return gaits;
}

Signals Walk(const Gait& gait, const MujocoPlantOptions& options) {
  const Robot robot = LoadRobot("biped3");
  TorqueReplayOptions replay{.q_rad = gait.q, .qd_rad_s = gait.qd, .duration_s = 0.68};
  for (const auto& [motor, u] : {std::pair("hip_stance", gait.u1), {"hip_swing", gait.u2}}) {
    TorqueSeriesOptions series;
    series.chebyshev_nm = u;
    series.chebyshev_period_s = 0.68;
    replay.actuators.emplace_back(motor, series);
  }
  return Simulate(
      CompileTruth(robot, robot.FindSet("")->pi, options), *MakeTorqueLaw(replay, {}, robot.model),
      *MakeInitialState(replay, {}, robot.model), 100.0, SourcesOf(std::array{kActuatorTorque}));
}

Eigen::Vector<double, 6> EndOf(const Signals& signals) {
  Eigen::Vector<double, 6> end;
  end << signals[kJointPosition].bottomRows<1>().transpose(),
      signals[kJointVelocity].bottomRows<1>().transpose();
  return end;
}

TEST_CASE("Steps of the biped end where the study says, and have 69 samples with both ends") {
  for (const Gait& gait : Gaits()) {
    const Signals signals = Walk(gait, {.timestep_s = 0.001, .integrator = "RK4"});
    REQUIRE(signals.time_s.size() == 69);
    CHECK(signals.time_s(68) == doctest::Approx(0.68).epsilon(1e-15));
    // Half of the last decimal, which motions B and C come near, and 1e-8 of the step and the legs'
    // inertia.
    CHECK((EndOf(signals) - gait.end).cwiseAbs().maxCoeff() < 5e-5 + 1e-8);
  }
}

TEST_CASE("A smooth torque is followed to the fourth order of the step") {
  const Gait& fast = Gaits()[2];
  const auto end = [&](double step_s, const char* integrator = "RK4") {
    return EndOf(Walk(fast, {.timestep_s = step_s, .integrator = integrator}));
  };
  const auto reference = end(0.000125);
  const auto error = [&](const Eigen::Vector<double, 6>& state) {
    return (state - reference).cwiseAbs().maxCoeff();
  };
  const double at_5_ms = error(end(0.005));
  const double at_2500_us = error(end(0.0025));
  const double at_1_ms = error(end(0.001));
  MESSAGE("end state of motion C: 5 ms ", at_5_ms, ", 2.5 ms ", at_2500_us, ", 1 ms ", at_1_ms);
  CHECK(at_5_ms / at_2500_us > 12.0);  // 16 but for higher orders
  CHECK(at_5_ms / at_2500_us < 20.0);
  CHECK(at_1_ms < 2e-8);  // 6.5e-6·(1/5)⁴ = 1.0e-8
  // Held torque and semi-implicit steps are of first order.
  CHECK(error(end(0.00025, "implicitfast")) > 1e-3);
}

TEST_CASE("Motors have the torque of the law, the pivot none") {
  const Signals signals = Walk(Gaits()[1], {.timestep_s = 0.001, .integrator = "RK4"});
  REQUIRE(signals[kActuatorTorque].cols() == 2);
  CHECK(signals[kJointTorque].col(0).isZero(0.0));
  // At t = 0 all odd polynomials are −1; rounding.
  const std::vector<double>& u = Gaits()[1].u1;
  double u1 = 0.0;
  for (std::size_t k = 0; k < u.size(); ++k) u1 += k % 2 == 0 ? u[k] : -u[k];
  CHECK(signals[kActuatorTorque](0, 0) == doctest::Approx(u1).epsilon(1e-14));
  CHECK((signals[kActuatorTorque].rowwise().sum() - signals[kJointTorque].col(2))
            .cwiseAbs()
            .maxCoeff() < 1e-12);
  CHECK((signals[kActuatorTorque].col(1) + signals[kJointTorque].col(1)).cwiseAbs().maxCoeff() ==
        0.0);
}

}  // namespace
}  // namespace idbench
