#include "estimators/online/entropic_filter.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "estimators/batch/consistent_wls.h"
#include "estimators/synthetic_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

std::vector<Sample> SamplesOf(const Problem& problem, const Dataset& dataset) {
  const std::vector<Dataset> datasets = {dataset};
  SampleReader reader(problem, datasets);
  Sample sample(problem);
  std::vector<Sample> samples;
  while (reader.Next(1e9, sample)) samples.push_back(sample);
  return samples;
}

Estimate Feed(const Problem& problem, const std::vector<Sample>& samples) {
  EntropicFilter method;
  method.Begin(problem);
  for (const Sample& sample : samples) method.Update(sample);
  return method.Current();
}

TEST_CASE("The filter ends where the batch fit of the same cost does") {
  const Synthetic robot = Declared("planar2", "standard");
  const std::vector<Dataset> datasets = {robot.Record("a", 137, kSigma)};
  const Estimate estimate = EntropicFilter().Run(robot.problem, datasets);
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  ConsistentWls batch;
  std::vector<Issue> issues;
  ReadFields(batch.Fields(), Json{{"weighting", "declared"}}, "", issues);
  const Estimate expected = batch.Run(robot.problem, datasets);
  REQUIRE_MESSAGE(expected.ok(), expected.reason);
  // Both are converged to δ = 1e-5 of a standard deviation, or better by the last full step.
  CHECK((estimate.x - expected.x).norm() < 1e-7 * expected.x.norm());
  CHECK((*estimate.covariance - *expected.covariance).norm() < 1e-5 * expected.covariance->norm());
  CHECK(estimate.diagnostics.at("gap") <= 1e-10);
  CHECK(estimate.diagnostics.at("least_pseudo_inertia_margin") > 0.0);
}

TEST_CASE("The order of the samples does not matter, because nothing is linearised") {
  const Synthetic robot = Declared("planar2", "standard");
  std::vector<Sample> samples = SamplesOf(robot.problem, robot.Record("a", 120, kSigma));
  const Estimate forward = Feed(robot.problem, samples);
  std::ranges::reverse(samples);
  const Estimate backward = Feed(robot.problem, samples);
  REQUIRE((forward.ok() && backward.ok()));
  CHECK((forward.x - backward.x).norm() < 1e-7 * forward.x.norm());
}

TEST_CASE("An estimate on the way is a few Newton steps from the last renewal") {
  const Synthetic robot = Declared("planar2", "standard");
  const std::vector<Sample> samples = SamplesOf(robot.problem, robot.Record("a", 400, kSigma));
  EntropicFilter method;
  method.Begin(robot.problem);
  double most = 0.0;
  for (const Sample& sample : samples) {
    method.Update(sample);
    most = std::max(most, method.Current().diagnostics.at("newton_steps"));
  }
  CHECK(most <= 8.0);
}

TEST_CASE("Innovations behind renewals are as large as it says, a smaller declared σ shows") {
  Synthetic robot = Declared("planar2", "standard");
  const std::vector<Dataset> datasets = {robot.Record("a", 5000, kSigma)};
  const auto nis = [&] {
    return EntropicFilter()
        .Run(robot.problem, datasets)
        .diagnostics.at("normalised_innovation_squared");
  };
  // Of about 210 renewals with 2 rows each: standard deviation √(2/420); four of them.
  CHECK(nis() == doctest::Approx(1.0).epsilon(0.28));
  robot.problem.rows[0].sigma *= 0.5;
  CHECK(nis() > 3.0);
}

TEST_CASE("Other unknowns of bodies are taken too, base parameters refused by name") {
  Synthetic robot("barrett_wam7", "masses_and_moments");
  const Eigen::VectorXd sigma = Eigen::VectorXd::Constant(7, 0.1);
  robot.Declare(sigma, 0.2);
  const Estimate estimate = EntropicFilter().Run(robot.problem, {{robot.Record("a", 200, sigma)}});
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  CHECK(estimate.diagnostics.at("least_pseudo_inertia_margin") > 0.0);

  Synthetic base("planar2");
  base.Declare(kSigma, 0.2);
  const Estimate refused = EntropicFilter().Run(base.problem, {{base.Record("a", 20)}});
  CHECK(refused.outcome == Outcome::kRefused);
  CHECK(refused.reason.starts_with("the parametrisation 'base' says nothing of single bodies"));
}

}  // namespace
}  // namespace idbench
