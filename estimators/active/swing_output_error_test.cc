#include "estimators/active/swing_output_error.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/active/chain_plant_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

SwingOutputError OutputError(const Json& options) {
  SwingOutputError method;
  std::vector<Issue> issues;
  ReadFields(method.Fields(), options, "", issues);
  REQUIRE(issues.empty());
  return method;
}

TEST_CASE("Simulated swings of frictionless rods tell all parameters to rounding") {
  for (const int rods : {1, 2}) {
    RodsProblem of(rods, 1.17);
    MeteredPlant plant(std::make_unique<ChainPlant>(of.lagrangian(), of.truth), 1e5);
    const Estimate estimate = OutputError({{"duration_s", 20.0}}).Run(of.problem, plant);
    CAPTURE(estimate.reason);
    REQUIRE(estimate.ok());
    // The plant is the model: what is left is rounding over 1e3 steps.
    CHECK(((estimate.x - of.truth).array() / of.truth.array()).abs().maxCoeff() < 1e-8);
    CHECK(estimate.plant_use->experiments == (rods == 1 ? 4 : 8));
    CHECK(estimate.diagnostics.at("residual_rms_rad") < 1e-9);
  }
}

TEST_CASE("A simulation makes the steps that the plant says, and falls are told") {
  RodsProblem of(1, 1.17);
  MeteredPlant plant(std::make_unique<ChainPlant>(of.lagrangian(), of.truth, 0.0,
                                                  ChainPeriod{.period_s = 0.018, .steps = 4}),
                     1e5);
  const Estimate estimate = OutputError({{"duration_s", 20.0}}).Run(of.problem, plant);
  REQUIRE(estimate.ok());
  CHECK(of.ErrorOf(estimate.x) < 1e-8);  // another number of steps is no model of it: 1e-3
  const double residual = estimate.diagnostics.at("residual_rms_rad");
  CHECK(residual < 1e-9);
  // A guess below gravity: the first swings fall.
  RodsProblem low(1, 0.95);
  MeteredPlant again(std::make_unique<ChainPlant>(low.lagrangian(), low.truth), 1e5);
  const Estimate fallen = OutputError({{"duration_s", 20.0}}).Run(low.problem, again);
  REQUIRE(fallen.ok());
  CHECK(fallen.plant_use->falls > 0);
  CHECK(fallen.notes.at("swings").starts_with("swings ended in falls; "));
}

TEST_CASE("The same experiments give the same bits, with friction too") {
  RodsProblem of(1, 1.17, {JointParameter::kViscous, JointParameter::kCoulomb});
  const double coulomb = 1e-3 * of.TrueGravity()[0];
  const auto run = [&] {
    MeteredPlant plant(std::make_unique<ChainPlant>(of.lagrangian(), of.truth, coulomb), 1e5);
    return OutputError({{"duration_s", 30.0}}).Run(of.problem, plant);
  };
  const Estimate first = run();
  REQUIRE(first.ok());
  CHECK(of.ErrorOf(first.x) < 1e-4);
  // The plant's friction has another width, 1e-4 rad/s.
  CHECK(std::abs(first.x.tail<1>()[0] / coulomb - 1.0) < 0.02);
  const Estimate second = run();
  CHECK(second.x == first.x);
  CHECK(*second.covariance == *first.covariance);
}

TEST_CASE("The stated covariance is that of white noise in positions") {
  RodsProblem of(2, 1.17);
  double squares = 0.0;
  for (const int trial : {0, 1, 2}) {
    MeteredPlant plant(std::make_unique<NoisyChain>(of, 1e-3, trial), 1e5);
    const Estimate estimate = OutputError({{"duration_s", 10.0}}).Run(of.problem, plant);
    REQUIRE(estimate.ok());
    CHECK(std::abs(estimate.diagnostics.at("residual_rms_rad") / 1e-3 - 1.0) < 0.05);
    squares += OverSigma(estimate, of).square().sum();
  }
  // 15 errors: χ² of 15 is outside of 4 and 37 in one of 500 runs.
  CHECK(squares > 4.0);
  CHECK(squares < 37.0);
}

TEST_CASE("Iterations that end before they converge are no estimate") {
  RodsProblem of(1, 1.17, {JointParameter::kViscous, JointParameter::kCoulomb});
  MeteredPlant plant(std::make_unique<ChainPlant>(of.lagrangian(), of.truth, 0.02), 1e5);
  const Estimate estimate =
      OutputError({{"duration_s", 30.0}, {"iterations", 1}}).Run(of.problem, plant);
  CHECK(estimate.outcome == Outcome::kNotConverged);
  CHECK(estimate.reason.starts_with("not converged in 1 iterations, residual "));
  CHECK(estimate.reason.ends_with(
      " rad; use shorter segments (/segment_s), or allow more (/iterations)"));
}

TEST_CASE("A problem without a prior is refused") {
  RodsProblem of(1, 1.17);
  of.problem.parameters.prior.reset();
  MeteredPlant plant(std::make_unique<ChainPlant>(of.lagrangian(), of.truth), 1e5);
  CHECK(OutputError(Json::object()).Run(of.problem, plant).outcome == Outcome::kRefused);
}

}  // namespace
}  // namespace idbench
