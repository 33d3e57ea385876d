#include "estimators/active/swing_damped_sines.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/active/chain_plant_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("A damped sine is found with its frequency, decay and amplitude") {
  const DampedSine sine{.omega = 2.3, .decay = 0.02, .amplitude = -0.4, .phase = 0.3};
  Eigen::VectorXd theta(3000);
  for (Eigen::Index k = 0; k < theta.size(); ++k)
    theta[k] = sine.At(0.018 * static_cast<double>(k));
  const auto [found, sigma] = FitDampedSine(theta, 0.018, 50);
  CHECK(std::abs(found.omega - sine.omega) < 1e-9);
  CHECK(std::abs(found.decay - sine.decay) < 1e-9);
  CHECK(std::abs(found.amplitude - sine.amplitude) < 1e-9);
  CHECK(std::abs(found.phase - sine.phase) < 1e-9);
  CHECK(sigma < 1e-9);
  CHECK_THROWS_WITH_AS(FitDampedSine(Eigen::VectorXd::LinSpaced(100, 0.0, 1.0), 0.018, 50),
                       "the robot does not swing", EstimationFailure);
  CHECK_THROWS_WITH_AS(FitDampedSine(theta, 0.018, 1),
                       "a damped sine does not fit a swing in 1 iterations", EstimationFailure);
}

TEST_CASE("A pendulum's large swing is a damped sine to third order") {
  // θ̈ = −ω₀²·sin θ − 2ζ·θ̇, in steps of 0.1 ms that change ω by less than 1e-8.
  constexpr double kOmega = 2.0, kDecay = 0.01, kStep = 1e-4;
  double angle = 0.0, rate = 0.8;
  Eigen::VectorXd theta(3000);
  for (double& read : theta) {
    read = angle;
    for (int step = 0; step < 100; ++step) {
      rate += kStep * (-kOmega * kOmega * std::sin(angle) - 2.0 * kDecay * rate);
      angle += kStep * rate;
    }
  }
  const DampedSine found = FitDampedSine(theta, 0.01, 50).first;
  // The series of the frequency goes on with a⁶/1e3 ≈ 4e-6; decay is of first order.
  CHECK(std::abs(std::hypot(found.omega, found.decay) - kOmega) < 4e-6);
  CHECK(std::abs(found.decay - kDecay) < 1e-4);
}

TEST_CASE("The frequencies of four swings tell gravity, inertia and viscous friction of a rod") {
  RodsProblem of(1, 1.17, {JointParameter::kViscous});
  const auto run = [&] {
    MeteredPlant plant(std::make_unique<ChainPlant>(of.lagrangian(), of.truth), 1e5);
    return SwingDampedSines().Run(of.problem, plant);
  };
  const Estimate estimate = run();
  REQUIRE(estimate.ok());
  // Steps of 18 ms change ω² by (ωh)²/12 < 3e-4.
  CHECK(of.ErrorOf(estimate.x) < 1e-4);
  CHECK(std::abs(estimate.x[0] / of.truth[0] - 1.0) < 1e-3);
  CHECK(std::abs(estimate.x[2]) < 1e-5);
  CHECK(estimate.plant_use->experiments == 4);
  CHECK(run().x == estimate.x);
}

TEST_CASE("Two joints are refused before any experiment, and a fall is no swing") {
  RodsProblem two(2, 1.2);
  CHECK(SwingDampedSines().WhyRefused(two.problem) == "takes one joint, and the robot has 2");
  RodsProblem one(1, 1.2);
  MeteredPlant plant(std::make_unique<ChainPlant>(one.lagrangian(), one.truth), 1e5);
  SwingDampedSines method;
  std::vector<Issue> issues;
  ReadFields(method.Fields(), Json{{"limit_rad", 0.2}}, "", issues);
  REQUIRE(issues.empty());
  const Estimate fell = method.Run(one.problem, plant);
  CHECK(fell.outcome == Outcome::kNotConverged);
  CHECK(fell.reason == "swing 3 of 4 ends in a fall");
}

}  // namespace
}  // namespace idbench
