#include "scenarios/motion/excitation/motion_constraints.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/robot.h"

namespace idbench {
namespace {

/// States within the limits of the KUKA, more or less.
FixedStates SomeStates(const RobotModel& model) {
  FixedStates states = MakeFixedStates(model, 5, 9);
  states.q *= 0.8;
  states.qd *= 0.5;
  states.qdd *= 0.5;
  return states;
}

struct Kuka {
  Robot robot = LoadRobot("kuka_lwr4_mdh");
  Dynamics dynamics = Dynamics(robot.model, FrictionShape{0.05});
  Dynamics::Scratch scratch = Dynamics::Scratch(dynamics);
  Eigen::VectorXd pi = robot.FindSet("")->pi;
  MotionConstraints::Options options = {.margin = 0.9, .floor_m = 0.25, .clearance_m = 0.01};
  MotionConstraints constraints = MotionConstraints(robot.model, dynamics, pi, options);
  FixedStates states = SomeStates(robot.model);
};

TEST_CASE("Constraints are those of the robot's limits, spheres and floor, by name") {
  Kuka kuka;
  // Two sides of four kinds for seven joints, 12 pairs, 2 heights.
  REQUIRE(kuka.constraints.size() == 2 * 4 * 7 + 12 + 2);
  Eigen::MatrixXd g;
  kuka.constraints.Values(kuka.states.samples(), kuka.scratch, g);
  REQUIRE(g.rows() == 5);
  const JointLimits& limits = kuka.robot.model.limits();
  Eigen::MatrixXd tau(5, 7);
  kuka.dynamics.InverseDynamics(kuka.pi, kuka.states.samples(), kuka.scratch, tau);
  for (Eigen::Index k = 0; k < 5; ++k) {
    CHECK(g(k, 2) == doctest::Approx(kuka.states.q(k, 1) / (0.9 * limits.upper[1]) - 1.0));
    CHECK(g(k, 3) == doctest::Approx(-kuka.states.q(k, 1) / (0.9 * limits.upper[1]) - 1.0));
    CHECK(g(k, 14) == doctest::Approx(kuka.states.qd(k, 0) / (0.9 * limits.velocity[0]) - 1.0));
    CHECK(g(k, 29) == doctest::Approx(-kuka.states.qdd(k, 0) / (0.9 * 10.0) - 1.0));
    CHECK(g(k, 42) == doctest::Approx(tau(k, 0) / (0.9 * 176.0) - 1.0));
  }
  CHECK(kuka.constraints.NameOf(3) == "position of 'joint2'");
  CHECK(kuka.constraints.NameOf(14) == "velocity of 'joint1'");
  CHECK(kuka.constraints.NameOf(29) == "acceleration of 'joint1'");
  CHECK(kuka.constraints.NameOf(55) == "torque of 'joint7'");
  CHECK(kuka.constraints.NameOf(69) == "height of 'wrist'");
}

TEST_CASE("Distances and heights are those of the straight arm") {
  Kuka kuka;
  const Eigen::MatrixXd rest = Eigen::MatrixXd::Zero(1, 7);
  Eigen::MatrixXd g;
  kuka.constraints.Values({rest, rest, rest}, kuka.scratch, g);
  double nearest = -1e9;
  for (Eigen::Index c = 56; c < 68; ++c) nearest = std::max(nearest, g(0, c));
  // Forearm's middle at .9055 m and shoulder at .3105 m, radii .09 and .12 m, clearance .01 m.
  CHECK(nearest == doctest::Approx(1.0 - 0.595 / 0.22));
  CHECK(g(0, 68) == doctest::Approx((0.26 - 0.7105) / 0.1));
  CHECK(g(0, 69) == doctest::Approx((0.26 - 1.1005) / 0.1));
}

/// A covariance of π in which all parameters that the torques depend on vary.
Eigen::MatrixXd SomeCovariance(const Eigen::VectorXd& pi) {
  Eigen::MatrixXd root = (0.1 * pi.cwiseAbs()).asDiagonal();
  for (Eigen::Index k = 0; k + 1 < pi.size(); ++k) root(k + 1, k) = 0.03 * pi[k];
  return root * root.transpose();
}

TEST_CASE("Standard deviations of the torque count beside it") {
  Kuka kuka;
  kuka.options.torque_sigmas = 2.0;
  kuka.options.pi_covariance = SomeCovariance(kuka.pi);
  const MotionConstraints spread(kuka.robot.model, kuka.dynamics, kuka.pi, kuka.options);
  REQUIRE(spread.size() == kuka.constraints.size());
  Eigen::MatrixXd g, with;
  kuka.constraints.Values(kuka.states.samples(), kuka.scratch, g);
  spread.Values(kuka.states.samples(), kuka.scratch, with);
  std::vector<int> all(static_cast<std::size_t>(kuka.pi.size()));
  std::iota(all.begin(), all.end(), 0);
  std::vector<Eigen::MatrixXd> W;
  RowRegressor(kuka.dynamics, {Equation::kTorque}, all)
      .Dense(kuka.states.samples(), kuka.scratch, W);
  const RowRegressor rows(kuka.dynamics, {Equation::kTorque}, all);
  for (int j = 0; j < 7; ++j) {
    const std::vector<int>& columns = rows.ColumnsOf(j);
    const Eigen::RowVectorXd w = W[static_cast<std::size_t>(j)].row(3);
    const double sd = std::sqrt(w * kuka.options.pi_covariance(columns, columns) * w.transpose());
    const double fraction = 2.0 * sd / (0.9 * kuka.robot.model.limits().effort[j]);
    REQUIRE(fraction > 1e-4);
    CHECK(with(3, 42 + 2 * j) == doctest::Approx(g(3, 42 + 2 * j) + fraction));
    CHECK(with(3, 43 + 2 * j) == doctest::Approx(g(3, 43 + 2 * j) + fraction));
  }
  with.middleCols(42, 14) = g.middleCols(42, 14);
  CHECK(with == g);
}

TEST_CASE("Derivatives of constraints are those of differences") {
  Kuka kuka;
  SUBCASE("of the nominal robot") {}
  SUBCASE("with the spread of torques") {
    kuka.options.torque_sigmas = 3.0;
    kuka.options.pi_covariance = SomeCovariance(kuka.pi);
  }
  const MotionConstraints constraints(kuka.robot.model, kuka.dynamics, kuka.pi, kuka.options);
  Eigen::MatrixXd g;
  constraints.Values(kuka.states.samples(), kuka.scratch, g);
  Eigen::MatrixXd weights(g.rows(), g.cols());
  for (Eigen::Index k = 0; k < weights.size(); ++k) {
    weights.data()[k] = 1.0 + std::sin(0.3 + 2.1 * static_cast<double>(k));
  }
  StateGradient gradient;
  for (Eigen::MatrixXd* part : {&gradient.q, &gradient.qd, &gradient.qdd}) part->setZero(5, 7);
  constraints.AddGradient(kuka.states.samples(), weights, kuka.scratch, gradient);
  constexpr double kStep = 1e-3;
  const auto check = [&](Eigen::MatrixXd& part, const Eigen::MatrixXd& exact) {
    for (Eigen::Index joint = 0; joint < 7; ++joint) {
      const Eigen::VectorXd at = part.col(joint);
      const auto shifted = [&](double steps) -> Eigen::VectorXd {
        part.col(joint) = at.array() + steps * kStep;
        constraints.Values(kuka.states.samples(), kuka.scratch, g);
        return g.cwiseProduct(weights).rowwise().sum();
      };
      const Eigen::VectorXd differences =
          (8.0 * (shifted(1.0) - shifted(-1.0)) - (shifted(2.0) - shifted(-2.0))) / (12.0 * kStep);
      part.col(joint) = at;
      CAPTURE(joint);
      // Truncation where friction turns within the width of 0.05 rad/s.
      CHECK((differences - exact.col(joint)).norm() < 1e-6 * (1.0 + differences.norm()));
    }
  };
  check(kuka.states.q, gradient.q);
  check(kuka.states.qd, gradient.qd);
  check(kuka.states.qdd, gradient.qdd);
}

TEST_CASE("What is left out or infinite is no constraint") {
  Kuka kuka;
  const MotionConstraints bare(kuka.robot.model, kuka.dynamics, kuka.pi,
                               {.torques = false, .pairs = false});
  CHECK(bare.size() == 2 * 3 * 7);
  const Robot planar = LoadRobot("planar2");
  const Dynamics dynamics(planar.model);
  const MotionConstraints all(planar.model, dynamics, planar.FindSet("")->pi, {.pairs = false});
  Eigen::Index finite = 2;  // positions
  for (const Eigen::VectorXd* limits :
       {&planar.model.limits().velocity, &planar.model.limits().acceleration,
        &planar.model.limits().effort}) {
    for (const double limit : *limits) finite += std::isfinite(limit) ? 1 : 0;
  }
  CHECK(all.size() == 2 * finite);
}

}  // namespace
}  // namespace idbench
