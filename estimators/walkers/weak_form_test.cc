#include "estimators/walkers/weak_form.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/interface/estimate_test.h"
#include "estimators/synthetic_walker_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("Without noise the truth is missed by a fraction of its sigma") {
  const SyntheticWalker biped = SyntheticWalker::Biped();
  CHECK(std::sqrt(SquaredError(biped, MustRunOn<WeakForm>(biped, {biped.Record("a", 0.0)}))) < 0.5);
  const SyntheticWalker leg = SyntheticWalker::Leg();
  const Estimate estimate = MustRunOn<WeakForm>(
      leg, {leg.Record("a", 0.0)}, R"({"stride_samples": 8, "rate_half_width_samples": 3})");
  CHECK(std::sqrt(SquaredError(leg, estimate)) < 1.0);  // tanh(q̇/0.05) has kinks for a cubic
}

TEST_CASE("Its errors are those of its covariance, its residuals those of its weights") {
  const SyntheticWalker walker = SyntheticWalker::Biped();
  double squares = 0.0, chi_square = 0.0;
  constexpr int kTrials = 60;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Estimate estimate = MustRunOn<WeakForm>(walker, {walker.Record("a", 1.0, trial)});
    squares += SquaredError(walker, estimate);
    chi_square += estimate.diagnostics.at("chi_square");
    CHECK(estimate.diagnostics.at("degrees_of_freedom") == 3 * 15 - 8);
  }
  // Covariance to first order; what is added to the variances makes residuals smaller by a quarter.
  CHECK(squares / kTrials > 0.6 * 8.0);
  CHECK(squares / kTrials < 1.5 * 8.0);
  CHECK(chi_square / kTrials > 0.6 * 37.0);
  CHECK(chi_square / kTrials < 1.1 * 37.0);
}

TEST_CASE("Four weights are as good as eight, wherever the first came from") {
  SyntheticWalker walker = SyntheticWalker::Biped();
  const std::vector<Dataset> datasets = {walker.Record("a")};
  const Estimate four = MustRunOn<WeakForm>(walker, datasets);
  const Estimate eight = MustRunOn<WeakForm>(walker, datasets, R"({"reweightings": 8})");
  walker.problem.parameters.prior->mean = 0.7 * walker.beta;
  const Estimate elsewhere = MustRunOn<WeakForm>(walker, datasets);
  const Eigen::VectorXd sigma = *four.sigma();
  CHECK(((eight.x - four.x).array() / sigma.array()).abs().maxCoeff() < 0.02);
  CHECK(((elsewhere.x - four.x).array() / sigma.array()).abs().maxCoeff() < 0.02);
}

TEST_CASE("Weights matter: the prior's alone leave more of the errors") {
  const SyntheticWalker walker = SyntheticWalker::Biped();
  double weighed = 0.0, once = 0.0;
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<Dataset> datasets = {walker.Record("a", 1.0, trial)};
    const Eigen::VectorXd sigma = *MustRunOn<WeakForm>(walker, datasets).sigma();
    const auto square = [&](const Estimate& estimate) {
      return ((estimate.x - walker.beta).array() / sigma.array()).square().sum();
    };
    weighed += square(MustRunOn<WeakForm>(walker, datasets));
    once += square(MustRunOn<WeakForm>(walker, datasets, R"({"reweightings": 0})"));
  }
  CHECK(weighed < 0.8 * once);
}

TEST_CASE("Recordings that are too short or too poor are refused") {
  SyntheticWalker walker = SyntheticWalker::Biped();
  walker.duration_s = 0.3;
  const Estimate brief = RunOn<WeakForm>(walker, {{walker.Record("a")}});
  CHECK(brief.outcome == Outcome::kRefused);
  CHECK(brief.reason == "a: 31 samples are too few, at least 41 are needed");

  walker.duration_s = 0.42;
  const Estimate poor = RunOn<WeakForm>(walker, {{walker.Record("a")}});
  CHECK(poor.outcome == Outcome::kRankDeficient);
  CHECK(poor.reason.ends_with("; use a richer or longer motion, or more test functions"));
}

}  // namespace
}  // namespace idbench
