#include "sim/truth/friction_element.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/truth/all_shapes_test.h"

namespace idbench {
namespace {

constexpr double kElementWidth = 0.02;  // [rad/s]

TEST_CASE("Elements have all the friction of a robot and its terms that is not constant") {
  const TrueRobot robot = AllShapes({.coulomb_width_rad_s = kElementWidth});
  const std::vector<FrictionElement> elements = FrictionElementsOf(robot);
  REQUIRE(elements.size() == 3 + robot.terms().size());
  CHECK(elements[1].name == "of joint 'joint2'");
  CHECK(elements[3].name == robot.terms()[0].term.name);
  const auto friction_at = [&](const Eigen::VectorXd& qd) {
    Eigen::VectorXd tau = Eigen::VectorXd::Zero(3);
    for (int i = 0; i < 3; ++i) tau[i] = robot.FrictionTorque(i, qd[i], 1.0);
    robot.AddTermTorques(1.0, qd, tau);
    return tau;
  };
  const Eigen::VectorXd constant = friction_at(Eigen::Vector3d::Zero());
  CHECK(constant.norm() > 0.1);
  for (int k = 0; k < 50; ++k) {
    const Eigen::VectorXd qd =
        0.2 * Eigen::Vector3d(std::sin(1.0 + k), std::cos(2.0 * k), std::sin(3.0 * k));
    Eigen::VectorXd tau = constant;
    for (const FrictionElement& element : elements) {
      const double u = element.Speed(qd);
      const double torque = element.Torque(u, element.Level(u), kElementWidth);
      for (const Term::Share& share : element.shares) tau[share.joint] += share.factor * torque;
    }
    CHECK((tau - friction_at(qd)).norm() < 1e-14);  // rounding of about 1 N·m
  }
}

TEST_CASE("The slope is the derivative of an element's torque") {
  constexpr double kStep = 1e-6;
  for (const FrictionElement& element : FrictionElementsOf(AllShapes())) {
    CAPTURE(element.name);
    for (const double u : {-0.5, -0.03, -0.004, 0.007, 0.05, 0.6}) {
      const double level = element.Level(u);
      const FrictionElement::Tangent tangent = element.At(u, level, kElementWidth);
      const double slope = (element.Torque(u + kStep, level, kElementWidth) -
                            element.Torque(u - kStep, level, kElementWidth)) /
                           (2.0 * kStep);
      // ψ‴·(1e-6)²/6 with ψ‴ ≤ 2·fc/w³ = 2e5, and rounding, 1e-16/1e-6.
      CHECK(std::abs(slope - tangent.slope) < 1e-6);
      CHECK(tangent.torque == element.Torque(u, level, kElementWidth));
    }
  }
}

TEST_CASE("No slope of an element is steeper than the one at rest") {
  const FrictionElement element{.name = "",
                                .shares = {{}},
                                .viscous = 0.6,
                                .coulomb = 1.0,
                                .stribeck_excess = 0.5,
                                .stribeck_velocity = 0.2};
  const double bound = element.SteepestSlope(kElementWidth);
  CHECK(bound == 0.6 + 1.5 / kElementWidth);
  const auto torque = [&](double u) { return element.Torque(u, element.Level(u), kElementWidth); };
  constexpr double kStep = 1e-5;
  double steepest = 0.0;
  for (int k = -100'000; k < 100'000; ++k) {
    const double u = kStep * k;
    steepest = std::max(steepest, (torque(u + kStep) - torque(u)) / kStep);
  }
  CHECK(steepest <= bound * (1.0 + 1e-9));  // rounding of the difference quotient
  CHECK(steepest > bound * (1.0 - 1e-6));   // tanh bends by (1e-5/0.02)²/3 within a step
}

TEST_CASE("An element that drives at some speed does not dissipate") {
  FrictionElement element{.name = "", .shares = {{}}, .viscous = 0.1, .coulomb = 0.2};
  CHECK(element.Dissipates());
  element.stribeck_excess = -0.1;
  CHECK(element.Dissipates());
  element.stribeck_excess = -0.3;
  CHECK_FALSE(element.Dissipates());
  element = {.name = "", .shares = {{}}, .viscous = -0.1, .coulomb = 5.0};
  CHECK_FALSE(element.Dissipates());
}

}  // namespace
}  // namespace idbench
