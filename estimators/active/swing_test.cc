#include "estimators/active/swing.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "estimators/active/chain_plant_test.h"
#include "estimators/active/frequency_line.h"
#include "estimators/interface/estimate.h"

namespace idbench {
namespace {

/// λ of ω² = λ·(f − 1), the slowest mode of equal rods of 1 m under factors f of the true gravity.
double SlowestMode(int rods) {
  return rods == 1 ? 1.5 * 9.81 : (rods == 2 ? 0.7322 * 9.81 : 0.4849 * 9.81);
}

TEST_CASE("Over-compensated gravity is an upright spring, whatever the masses are") {
  for (const int rods : {1, 2, 3}) {
    for (const double density : {1.0, 3.0}) {
      RodsProblem of(rods, density);
      of.truth *= density;
      ChainPlant plant(of.lagrangian(), of.truth);
      SwingLaboratory laboratory(of.problem, plant, {.push_rad_s = 0.01});
      const Eigen::VectorXd gravity = 1.02 * of.TrueGravity();
      const SwingRecord record =
          laboratory.Swing(gravity, laboratory.Push(PushDirection::kLowestMode, gravity));
      CHECK_FALSE(record.fell);
      CHECK(record.size() == 5001);
      // Angles of at most 0.02 rad, and the step of 18 ms: both change ω² by less than 1e-4.
      const double omega = SwingFrequency(record.q.row(0), record.period_s);
      CHECK(omega * omega / 0.02 == doctest::Approx(SlowestMode(rods)).epsilon(1e-3));
    }
  }
}

TEST_CASE("Under-compensated gravity makes the chain fall, at the limit of absolute angles") {
  RodsProblem of(2, 1.0);
  ChainPlant plant(of.lagrangian(), of.truth);
  SwingLaboratory laboratory(of.problem, plant, {.limit_rad = 0.1});
  Eigen::VectorXd gravity = 1.1 * of.TrueGravity();
  gravity[1] = 0.9 * of.TrueGravity()[1];
  const SwingRecord record =
      laboratory.Swing(gravity, laboratory.Push(PushDirection::kTip, gravity));
  CHECK(record.fell);
  const Eigen::MatrixXd theta = of.lagrangian().S() * record.q;
  CHECK(theta.cwiseAbs().maxCoeff() <= 0.1);
  CHECK(theta.rightCols<1>().cwiseAbs().maxCoeff() > 0.09);
}

TEST_CASE("Pushes have the declared rate, and their directions") {
  RodsProblem of(3, 1.0);
  ChainPlant plant(of.lagrangian(), of.truth);
  const SwingLaboratory laboratory(of.problem, plant, {.push_rad_s = 0.3});
  const Eigen::VectorXd gravity = 1.1 * of.TrueGravity();
  for (const PushDirection direction :
       {PushDirection::kTip, PushDirection::kAlternating, PushDirection::kLowestMode}) {
    CHECK(laboratory.Push(direction, gravity).cwiseAbs().maxCoeff() == doctest::Approx(0.3));
  }
  CHECK(laboratory.Push(PushDirection::kAlternating, gravity) == Eigen::Vector3d(0.3, -0.3, 0.3));
  const Eigen::VectorXd mode = laboratory.Push(PushDirection::kLowestMode, gravity);
  CHECK((mode.array() > 0.0).all() != (mode.array() < 0.0).all());  // all to one side
}

TEST_CASE("A record holds the torque that answers each reading") {
  RodsProblem of(1, 1.0);
  ChainPlant plant(of.lagrangian(), of.truth);
  SwingLaboratory laboratory(of.problem, plant, {.duration_s = 1.8, .push_rad_s = 0.3});
  const Eigen::VectorXd gravity = 1.5 * of.TrueGravity();
  const SwingRecord record =
      laboratory.Swing(gravity, laboratory.Push(PushDirection::kTip, gravity));
  REQUIRE(record.size() == 101);
  for (Eigen::Index k = 0; k < 100; ++k) {
    CHECK(record.tau(0, k) ==
          doctest::Approx(-gravity[0] * std::sin(record.q(0, k))).epsilon(1e-12));
  }
}

TEST_CASE("Torques compensate gravity, and the asked part of Coriolis and centrifugal torques") {
  RodsProblem of(2, 1.0);
  const Eigen::VectorXd gravity = 1.3 * of.TrueGravity();
  Eigen::VectorXd beta = Eigen::VectorXd::Zero(of.truth.size());
  beta.segment(of.lagrangian().FirstGravity(), 2) = gravity;
  const Eigen::Vector2d none = Eigen::Vector2d::Zero();
  for (const double part : {0.0, 1.0}) {
    ChainPlant plant(of.lagrangian(), of.truth);
    SwingLaboratory laboratory(of.problem, plant,
                               {.duration_s = 9.0,
                                .push_rad_s = 0.5,
                                .limit_rad = 1.0,
                                .coriolis_factor = part,
                                .velocity_cutoff_hz = 1e9});
    const SwingRecord record =
        laboratory.Swing(gravity, laboratory.Push(PushDirection::kAlternating, gravity));
    REQUIRE_FALSE(record.fell);
    beta.head(3) = part * of.truth.head(3);  // J, J, P
    double greatest = 0.0;
    Eigen::VectorXd tau(2), tau_of_gravity(2);
    for (Eigen::Index k = 1; k < 500; ++k) {
      // Velocities without a low-pass are backward differences.
      const Eigen::VectorXd qd = (record.q.col(k) - record.q.col(k - 1)) / record.period_s;
      of.lagrangian().Torque(beta, record.q.col(k), qd, none, tau);
      of.lagrangian().Torque(beta, record.q.col(k), none, none, tau_of_gravity);
      CHECK((record.tau.col(k) - tau).norm() < 1e-9);  // rounding of 1/T
      greatest = std::max(greatest, (tau - tau_of_gravity).norm());
    }
    CHECK((greatest > 0.05) == (part > 0.0));  // there is something to compensate
  }
}

TEST_CASE("A robot that cannot stand upright is refused before any experiment") {
  const Robot robot = LoadRobot("planar2");  // it hangs at q = 0
  Problem problem{
      robot.model,
      {},
      PlanarLagrangianParametrisation(
          robot.model, PlanarLagrangian(robot.model,
                                        [&] {
                                          Eigen::VectorXd pi = robot.FindSet("")->pi;
                                          // On the line of the joints, as rods.
                                          for (int body = 0; body < 2; ++body) {
                                            pi[ParameterLayout(robot.model).Body(body) + 1] = 0.0;
                                          }
                                          return pi;
                                        }())),
      {},
      {}};
  problem.parameters.prior =
      Parametrisation::Prior{problem.parameters.FromPi(robot.FindSet("")->pi), std::nullopt};
  CHECK_THROWS_WITH_AS(
      Upright(problem),
      "experiments on the upright robot, where joint1 is at -3.142 rad, beyond its range [-2.8, "
      "2.8]: take a robot that can stand so, such as rods1 to rods4",
      EstimationFailure);
}

TEST_CASE("A plant that cannot be pushed, and a problem that is no Lagrangian, are refused") {
  class Still : public ChainPlant {
   public:
    using ChainPlant::ChainPlant;
    void Hold() { info_.starts_moving = false; }
  };
  RodsProblem of(1, 1.0);
  Still plant(of.lagrangian(), of.truth);
  plant.Hold();
  CHECK_THROWS_WITH_AS(SwingLaboratory(of.problem, plant, {}),
                       "pushes the robot, and experiments of the plant begin at rest",
                       EstimationFailure);
  ChainPlant good(of.lagrangian(), of.truth);
  of.problem.parameters.prior.reset();
  CHECK_THROWS_AS(SwingLaboratory(of.problem, good, {}), EstimationFailure);
}

}  // namespace
}  // namespace idbench
