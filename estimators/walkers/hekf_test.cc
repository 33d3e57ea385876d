#include "estimators/walkers/hekf.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/interface/estimate_test.h"
#include "estimators/synthetic_walker_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr const char* kTight = R"({"half_power": 0.5, "n_cd": 3})";

TEST_CASE("It turns a poor start into a good estimate") {
  SyntheticWalker walker = SyntheticWalker::Biped();
  walker.noise.q1_rad = 1e-4;
  double start = 0.0, end = 0.0;
  for (int trial = 0; trial < 10; ++trial) {
    const std::vector<Dataset> datasets = {walker.Record("a", 1.0, trial)};
    // With no doubt about β, β stays where it starts.
    const auto error = [&](const char* options) {
      return LargestRelativeError(MustRunOn<Hekf>(walker, datasets, options).x, walker.beta);
    };
    start += error(R"({"half_power": 0.5, "n_cd": 3, "relative_std": 0})");
    end += error(kTight);
  }
  CHECK(end < 0.5 * start);
}

TEST_CASE("More samples a second make it better, with the same options") {
  const SyntheticWalker walker = SyntheticWalker::Biped();
  const auto error = [&](double rate_hz) {
    double sum = 0.0;
    for (int trial = 0; trial < 10; ++trial) {
      const std::vector<Dataset> datasets = {
          walker.Record("a", 1.0, trial, Role::kIdentification, rate_hz)};
      sum += LargestRelativeError(MustRunOn<Hekf>(walker, datasets).x, walker.beta);
    }
    return sum;
  };
  CHECK(error(1000.0) < 0.7 * error(100.0));
}

TEST_CASE("Innovations are as large as it expects where angles are measured well") {
  SyntheticWalker walker = SyntheticWalker::Biped();
  walker.noise.q1_rad = 1e-4;
  double squared = 0.0;
  constexpr int kTrials = 20;
  for (int trial = 0; trial < kTrials; ++trial) {
    squared += MustRunOn<Hekf>(walker, {walker.Record("a", 1.0, trial)}, kTight)
                   .diagnostics.at("normalised_innovation_squared");
  }
  // Two of three angles are exact, where R says 1e-4 rad; their innovations are those of the motors
  // nevertheless.
  CHECK(squared / kTrials > 0.3);
  CHECK(squared / kTrials < 1.1);
}

TEST_CASE("Steps of integration are fine enough") {
  SyntheticWalker walker = SyntheticWalker::Biped();
  walker.noise.q1_rad = 1e-4;
  const std::vector<Dataset> datasets = {walker.Record("a")};
  const Estimate two = MustRunOn<Hekf>(walker, datasets, kTight);
  const Estimate ten =
      MustRunOn<Hekf>(walker, datasets, R"({"half_power": 0.5, "n_cd": 3, "sub_steps": 10})");
  // RK4 of half a sample: 1e-4 of what the noise does.
  CHECK(LargestRelativeError(two.x, ten.x) < 1e-3);
}

TEST_CASE("A second recording goes on from what the first told") {
  SyntheticWalker walker = SyntheticWalker::Biped();
  walker.noise.q1_rad = 1e-4;
  double one = 0.0, two = 0.0;
  for (int trial = 0; trial < 10; ++trial) {
    const Dataset a = walker.Record("a", 1.0, trial), b = walker.Record("b", 1.0, trial);
    one += LargestRelativeError(MustRunOn<Hekf>(walker, {a}, kTight).x, walker.beta);
    two += LargestRelativeError(MustRunOn<Hekf>(walker, {a, b}, kTight).x, walker.beta);
  }
  CHECK(two < 0.85 * one);  // 1/√2 of what noise does
}

TEST_CASE("A filter that ran away says so") {
  SyntheticWalker walker = SyntheticWalker::Biped();
  walker.noise.q1_rad = 0.03;
  int no_inertia = 0;
  for (int trial = 0; trial < 10; ++trial) {
    const Estimate estimate = RunOn<Hekf>(walker, {{walker.Record("a", 1.0, trial)}},
                                          R"({"half_power": 0.1, "n_cd": 7})");
    if (estimate.ok()) continue;
    CHECK(estimate.outcome == Outcome::kDiverged);
    no_inertia += estimate.reason == "the mass matrix of the estimate is not positive definite";
  }
  CHECK(no_inertia > 0);

  walker.noise.q1_rad = 1e-4;
  const Estimate away =
      RunOn<Hekf>(walker, {{walker.Record("a")}},
                  R"({"half_power": 0.5, "n_cd": 3, "initial_rate_std_rad_s": 1e9})");
  CHECK(away.outcome == Outcome::kDiverged);
}

}  // namespace
}  // namespace idbench
