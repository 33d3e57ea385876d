#include "scenarios/motion/excitation/motion_bound.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "robots/dynamics/parameters.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/plant/plant_error.h"
#include "robots/robot.h"

namespace idbench {
namespace {

/// planar2 that turns within ±2 rad, with other limits of speed and acceleration.
RobotModel Limited(double velocity, double acceleration) {
  const RobotModel model = LoadRobot("planar2").model;
  JointLimits limits = model.limits();
  limits.lower.setConstant(-2.0);
  limits.upper.setConstant(2.0);
  limits.velocity.setConstant(velocity);
  limits.acceleration.setConstant(acceleration);
  return {model.name(), model.base_name(), model.links(), model.gravity(), limits};
}

/// Viscous friction and rotor inertia of the second joint: W = (q̇, q̈), greatest at the corners.
struct TwoColumns {
  explicit TwoColumns(double velocity, double acceleration)
      : model(Limited(velocity, acceleration)) {}

  RobotModel model;
  ParameterLayout layout = ParameterLayout(model);
  Dynamics dynamics = Dynamics(model, {});
  RowRegressor rows = RowRegressor(
      dynamics, {Equation::kTorque},
      {layout.Joint(1, JointParameter::kViscous), layout.Joint(1, JointParameter::kRotorInertia)});
  Eigen::Vector2d precision{3.0, 4.0};
  FixedStates begin = MakeFixedStates(model, 20, 3);

  MotionBound Bound(const InformationLoss& loss) const {
    return BoundOfMotions(model, dynamics, rows, precision, 50.0, loss, begin.samples(), 1);
  }
};

TEST_CASE("The bound is that of the best distribution where that is known") {
  const double v = 3.0, a = 7.0, weight = 50.0 * 4.0;
  const TwoColumns two(v, a);
  const MotionBound jd = two.Bound(LogDetLoss(2));
  const double least = -std::log(weight * v * v * weight * a * a);
  CHECK(jd.reached == doctest::Approx(least).epsilon(1e-3));
  CHECK(jd.bound <= least + 1e-9);
  CHECK(jd.bound > least - 0.03);
  const Eigen::Matrix2d C = Eigen::Vector2d(2.0, 5.0).asDiagonal();
  const MotionBound excess = two.Bound(PredictionLoss({C, 4.0 * C}));
  // Of two joints the mean of √(tr C·M⁻¹) and of twice as much.
  const double least_excess = 1.5 * std::sqrt((2.0 / (v * v) + 5.0 / (a * a)) / weight);
  CHECK(excess.reached == doctest::Approx(least_excess).epsilon(1e-3));
  CHECK(excess.bound <= least_excess * (1.0 + 1e-9));
  CHECK(excess.bound > 0.985 * least_excess);
}

TEST_CASE("Without a limit of velocity a joint has that of a move through its range") {
  const double a = 9.0, v = std::sqrt(a * 4.0);
  const MotionBound jd =
      TwoColumns(std::numeric_limits<double>::infinity(), a).Bound(LogDetLoss(2));
  CHECK(jd.reached == doctest::Approx(-std::log(200.0 * v * v * 200.0 * a * a)).epsilon(1e-3));
  CHECK_THROWS_AS(TwoColumns(3.0, std::numeric_limits<double>::infinity()).Bound(LogDetLoss(2)),
                  PlantError);
}

TEST_CASE("A search may begin with states that show nothing, where others show all") {
  TwoColumns two(3.0, 7.0);
  const double least = two.Bound(LogDetLoss(2)).reached;
  for (Eigen::MatrixXd* part : {&two.begin.q, &two.begin.qd, &two.begin.qdd}) part->setZero();
  CHECK(two.Bound(LogDetLoss(2)).reached == doctest::Approx(least).epsilon(1e-3));
  // The base's mass is in no joint torque.
  const RowRegressor blind(two.dynamics, {Equation::kTorque},
                           {two.layout.Body(-1), two.layout.Joint(1, JointParameter::kViscous)});
  CHECK_THROWS_AS(BoundOfMotions(two.model, two.dynamics, blind, two.precision, 50.0, LogDetLoss(2),
                                 two.begin.samples(), 1),
                  PlantError);
}

TEST_CASE("No states within the limits have less than the bound, whatever the seed") {
  const RobotModel model = Limited(3.0, 7.0);
  const Dynamics dynamics(model, FrictionShape{0.1});
  const std::vector<PlacedEquation> equations = {Equation::kTorque};
  const std::vector<int> columns =
      FindBaseParameters(model, equations,
                         ConsideredParameters(model, equations,
                                              {JointParameter::kViscous, JointParameter::kCoulomb}),
                         {0.1})
          .independent;
  const RowRegressor rows(dynamics, equations, columns);
  const auto p = static_cast<Eigen::Index>(columns.size());
  const FixedStates begin = MakeFixedStates(model, 40, 3);
  const Eigen::Vector2d ones = Eigen::Vector2d::Ones();
  const auto bound = [&](std::uint64_t seed) {
    return BoundOfMotions(model, dynamics, rows, ones, 400.0, LogDetLoss(p), begin.samples(), seed);
  };
  const MotionBound one = bound(1), other = bound(2);
  CHECK(one.reached - one.bound < 0.01 * static_cast<double>(p) + 1e-9);
  CHECK(std::abs(one.bound - other.bound) < 0.02 * static_cast<double>(p));
  Dynamics::Scratch scratch(dynamics);
  for (unsigned salt = 10; salt < 40; ++salt) {
    FixedStates states = MakeFixedStates(model, 400, salt);  // ±π, ±5, ±20, brought within limits
    states.q *= 2.0 / M_PI;
    states.qd *= 3.0 / 5.0;
    states.qdd = states.qdd.unaryExpr([](double x) { return x > 0.0 ? 7.0 : -7.0; });
    std::vector<Eigen::MatrixXd> W;
    rows.Dense(states.samples(), scratch, W);
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(p, p), G;
    for (int r = 0; r < 2; ++r) {
      const std::vector<int>& of = rows.ColumnsOf(r);
      M(of, of) += W[static_cast<std::size_t>(r)].transpose() * W[static_cast<std::size_t>(r)];
    }
    CHECK(LogDetLoss(p).At(M, G) > one.bound);
    CHECK((G * M - Eigen::MatrixXd::Identity(p, p)).norm() < 1e-8);
  }
}

TEST_CASE("Losses bound themselves: all matrices of the same height have no less") {
  const Eigen::Matrix3d C = Eigen::Vector3d(1.0, 2.0, 0.5).asDiagonal();
  const LogDetLoss jd(3);
  const PredictionLoss excess({C, Eigen::Matrix3d(C * C)});
  Eigen::Matrix3d M0;
  M0 << 4, 1, 0, 1, 3, 0.5, 0, 0.5, 2;
  for (const InformationLoss* loss :
       {static_cast<const InformationLoss*>(&jd), static_cast<const InformationLoss*>(&excess)}) {
    Eigen::MatrixXd G, other;
    const double f = loss->At(M0, G);
    // −G is the derivative of f.
    Eigen::Matrix3d D = Eigen::Matrix3d::Identity();
    D(0, 2) = D(2, 0) = 0.4;
    constexpr double kStep = 1e-5;
    const double slope =
        (loss->At(M0 + kStep * D, other) - loss->At(M0 - kStep * D, other)) / (2.0 * kStep);
    CHECK(slope == doctest::Approx(-G.cwiseProduct(D).sum()).epsilon(1e-7));
    for (int k = 1; k < 30; ++k) {
      Eigen::Matrix3d root;
      for (int i = 0; i < 9; ++i) root(i) = std::sin(0.7 * k + 1.3 * i * k);
      const Eigen::Matrix3d M = root * root.transpose() + 0.1 * Eigen::Matrix3d::Identity();
      CHECK(loss->At(M, other) >= loss->Bound(f, G.cwiseProduct(M).sum()) - 1e-9);
    }
    CHECK(loss->Bound(f, G.cwiseProduct(M0).sum()) == doctest::Approx(f));
  }
}

}  // namespace
}  // namespace idbench
