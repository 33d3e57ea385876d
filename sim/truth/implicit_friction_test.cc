#include "sim/truth/implicit_friction.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "robots/dynamics/allocation_count_test.h"
#include "sim/truth/all_shapes_test.h"
#include "sim/two_link_test.h"

namespace idbench {
namespace {

TrueRobot Hinge(const TrueFriction& friction, double width, double timestep_s = 0.00025) {
  return TrueRobot(CompileMjcf(R"(<mujoco><worldbody><body><inertial pos="0 0 0" mass="0.07"
                       diaginertia="0.0004 0.0004 0.0004"/><joint name="wrist"/></body></worldbody>
                       </mujoco>)"),
                   {"wrist"}, friction,
                   {.timestep_s = timestep_s,
                    .coulomb_width_rad_s = width,
                    .friction_integration = FrictionIntegration::kImplicit});
}

TrueFriction Coulomb(double fc) {
  TrueFriction friction = TrueFriction::None(1);
  friction.coulomb(0) = fc;
  return friction;
}

constexpr double kHingeInertia = 0.0004;  // [kg·m²]

/// The velocity after a step under `tau`, minus friction at `qd`.
double VelocityAfter(const TrueRobot& robot, double qd, double tau) {
  ImplicitFriction friction(robot);
  const double qdd = (tau - robot.FrictionTorque(0, qd, 1.0)) / kHingeInertia;
  Eigen::VectorXd delta(1);
  friction.Step(Eigen::MatrixXd::Constant(1, 1, kHingeInertia), Eigen::VectorXd::Constant(1, qd),
                Eigen::VectorXd::Constant(1, qdd), Eigen::VectorXd::Zero(1), {}, delta);
  return qd + delta(0);
}

TEST_CASE("A step with viscous friction is that of backward Euler") {
  TrueFriction friction = TrueFriction::None(1);
  friction.viscous(0) = 50.0;  // h·fv/I = 31
  const double h = 0.00025;
  // I·(v⁺ − v) = h·(τ − fv·v⁺); rounding.
  CHECK(
      VelocityAfter(Hinge(friction, 0.02), 2.0, 0.3) ==
      doctest::Approx((kHingeInertia * 2.0 + h * 0.3) / (kHingeInertia + h * 50.0)).epsilon(1e-13));
}

TEST_CASE("A torque below Coulomb friction leaves a joint at rest, however small the width") {
  for (const double width : {0.02, 1e-3, 1e-6, 1e-9}) {
    CAPTURE(width);
    const TrueRobot robot = Hinge(Coulomb(0.16), width);
    // At equilibrium fc·tanh(v/w) = τ, wherever it comes from; h·fc/I = 0.1 rad/s in a step.
    const double creep = width * std::atanh(0.5);
    double v = 0.3;
    for (int k = 0; k < 20; ++k) {
      const double before = v;
      v = VelocityAfter(robot, v, 0.08);
      CHECK(v <= before * (1.0 + 1e-12));  // it never swings across
      CHECK(v >= creep * (1.0 - 1e-9));
    }
    // The linear rate of convergence at rest is I/(I + h·ψ′) ≤ 0.25 with ψ′ = fc/w·(1 − 0.25).
    CHECK(v == doctest::Approx(creep).epsilon(1e-9));
  }
}

TEST_CASE("A joint that slides loses velocity as by an explicit step, at most to rest") {
  const TrueRobot robot = Hinge(Coulomb(0.16), 1e-6);
  // v⁺ = v − h·fc/I, with tanh = 1 − 2e-174.
  CHECK(VelocityAfter(robot, 0.3, 0.0) == doctest::Approx(0.2).epsilon(1e-12));
  CHECK(std::abs(VelocityAfter(robot, 0.05, 0.0)) < 1e-6);
  CHECK(VelocityAfter(robot, -0.3, 0.0) == doctest::Approx(-0.2).epsilon(1e-12));
}

TEST_CASE("The level of Stribeck friction is that of the step's beginning") {
  TrueFriction friction = Coulomb(0.1);
  friction.stribeck_excess(0) = 0.3;
  friction.stribeck_velocity(0) = 0.05;
  const double h = 0.00025;
  const double v = 0.2;
  const double level = 0.1 + 0.3 * std::exp(-16.0);
  CHECK(VelocityAfter(Hinge(friction, 1e-3), v, 0.0) ==
        doctest::Approx(v - h * level / kHingeInertia).epsilon(1e-12));
}

TEST_CASE("Friction that drives stays explicit") {
  TrueFriction friction = Coulomb(0.1);
  friction.viscous(0) = -0.2;
  const TrueRobot robot = Hinge(friction, 0.05);
  const double h = 0.00025;
  CHECK(VelocityAfter(robot, 0.3, 0.2) ==
        doctest::Approx(0.3 + h * (0.2 - robot.FrictionTorque(0, 0.3, 1.0)) / kHingeInertia)
            .epsilon(1e-14));
}

/// Steps of coupled joints from many states; returns the greatest residual of
///   M·Δ + h·Σ c·(κ⁺·ψ(u⁺) − κ·ψ(u)) = h·M·q̈, relative to its terms.
double GreatestResidual(const TrueRobot& robot, const Eigen::MatrixXd& M, double speed,
                        const ImplicitFriction::Factors& factors = {}) {
  const double h = robot.options().timestep_s;
  const double width = robot.options().coulomb_width_rad_s;
  const std::vector<FrictionElement> elements = FrictionElementsOf(robot);
  ImplicitFriction friction(robot);
  const auto n = static_cast<Eigen::Index>(M.rows());
  Eigen::VectorXd qd(n), qdd(n), delta(n);
  double greatest = 0.0;
  for (int k = 0; k < 500; ++k) {
    for (Eigen::Index i = 0; i < n; ++i) {
      qd[i] = speed * std::sin(1.0 + 3.7 * k + static_cast<double>(i));
      qdd[i] = 200.0 * std::cos(2.3 * k - 5.0 * static_cast<double>(i));
    }
    friction.Step(M, qd, qdd, Eigen::VectorXd::Zero(n), factors, delta);
    Eigen::VectorXd residual = M * delta - h * M * qdd;
    Eigen::VectorXd magnitude = M.cwiseAbs() * (delta.cwiseAbs() + h * qdd.cwiseAbs());
    for (const FrictionElement& element : elements) {
      const double level = element.Level(element.Speed(qd));
      const double after = factors.end * element.Torque(element.Speed(qd + delta), level, width);
      const double before = factors.begin * element.Torque(element.Speed(qd), level, width);
      for (const Term::Share& share : element.shares) {
        residual[share.joint] += h * share.factor * (after - before);
        magnitude[share.joint] += h * std::abs(share.factor) * (std::abs(after) + std::abs(before));
      }
    }
    greatest = std::max(greatest, residual.cwiseQuotient(magnitude).lpNorm<Eigen::Infinity>());
  }
  return greatest;
}

TEST_CASE("A step of coupled joints solves its equation to rounding, at rest and in motion") {
  Eigen::Matrix3d M;
  M << 3e-2, 1e-2, 1e-3,  //
      1e-2, 5e-3, 4e-4,   //
      1e-3, 4e-4, 4e-4;
  for (const double width : {0.02, 1e-3, 1e-5}) {
    CAPTURE(width);
    const TrueRobot robot = AllShapes(
        {.coulomb_width_rad_s = width, .friction_integration = FrictionIntegration::kImplicit});
    for (const double speed : {3.0, 0.1, 1e-3, 0.0}) {
      CAPTURE(speed);
      // The solver's own bound is 1e-13, and it knows that u carries rounding: ψ′·u/ψ ≤ u/w.
      const double rounding = 2e-13 * (1.0 + speed / width);
      CHECK(GreatestResidual(robot, M, speed) < rounding);
      CHECK(GreatestResidual(robot, M, speed, {.begin = 1.5, .end = 1.6}) < rounding);
      CHECK(GreatestResidual(robot, M, speed, {.begin = 0.3, .end = 0.2}) < rounding);
    }
  }
}

TEST_CASE("A step allocates nothing") {
  const TrueRobot robot =
      AllShapes({.friction_integration = FrictionIntegration::kImplicit}, {}, {{0.1}});
  ImplicitFriction friction(robot);
  const Eigen::MatrixXd M = Eigen::Vector3d(0.01, 0.02, 0.001).asDiagonal();
  const Eigen::VectorXd qd = Eigen::Vector3d(0.1, -0.03, 0.0);
  const Eigen::VectorXd qdd = Eigen::Vector3d(-900.0, 100.0, 50.0);
  const Eigen::VectorXd load = Eigen::Vector3d(3.0, -1.0, 2.0);
  Eigen::VectorXd delta(3);
  const long before = allocation_count;
  friction.Step(M, qd, qdd, load, {}, delta);
  CHECK(allocation_count == before);
  const Eigen::VectorXd copy = delta;
  REQUIRE(allocation_count == before + 1);  // the counter counts
}

TEST_CASE("What implicit friction cannot be combined with is refused with the cure") {
  const auto message = [](MujocoPlantOptions options, const MismatchOptions& mismatch = {}) {
    options.friction_integration = FrictionIntegration::kImplicit;
    return WhyNotImplicit(options, mismatch).value_or("");
  };
  for (const char* integrator : {"implicitfast", "Euler", "discrete"}) {
    CHECK(message({.integrator = integrator}).empty());
  }
  for (const std::string integrator : {"RK4", "implicit"}) {
    CHECK(message({.integrator = integrator}) ==
          "implicit friction needs a semi-implicit step: integrator \"implicitfast\", \"Euler\" or "
          "\"discrete\", not \"" +
              integrator + "\"");
  }
  CHECK(message({.coulomb_width_rad_s = 0.0}) ==
        "implicit friction needs a coulomb_width_rad_s above 0, because friction at rest is no "
        "function of the velocity without one; any does, however small");
  CHECK(message({}, {.frictionloss_nm = {{0.0, 0.1}}}) ==
        "MuJoCo's frictionloss, a constraint, cannot be combined with implicit friction: declare "
        "the joint's coulomb_nm instead");
  CHECK_FALSE(WhyNotImplicit({.integrator = "RK4", .coulomb_width_rad_s = 0.0}, {}));
  CHECK_THROWS_WITH_AS(Hinge(Coulomb(0.1), 0.0),
                       doctest::Contains("TrueRobot: implicit friction needs a coulomb_width"),
                       std::invalid_argument);
}

}  // namespace
}  // namespace idbench
