#include "estimators/online/scaled_kf.h"

#include <doctest/doctest.h>

#include "estimators/batch/map.h"
#include "estimators/synthetic_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

Estimate RunScaledKf(const Problem& problem, const std::vector<Dataset>& datasets,
                     const Json& options) {
  ScaledKf method;
  std::vector<Issue> issues;
  ReadFields(method.Fields(), options, "", issues);
  REQUIRE(issues.empty());
  return method.Run(problem, datasets);
}

TEST_CASE("Without process noise it is Bayes' rule with the prior that the bodies tell") {
  const Eigen::Vector2d sigma(0.5, 0.05);
  Synthetic robot("planar2", "standard");
  robot.Declare(sigma, 0.2);
  const std::vector<Dataset> datasets = {robot.Record("a", 150, sigma)};
  const Estimate estimate =
      RunScaledKf(robot.problem, datasets, {{"process_noise", 0.0}, {"lambda", 2.0}});
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  const EntropicPrior bodies(robot.problem);
  Problem scaled = robot.problem;
  scaled.parameters.prior->covariance =
      bodies.CovarianceOfX(Eigen::MatrixXd(bodies.Precision(2.0).cwiseInverse().asDiagonal()));
  const Estimate expected = Map().Run(scaled, datasets);
  REQUIRE_MESSAGE(expected.ok(), expected.reason);
  // Round-off times the condition, about 1e4.
  CHECK((estimate.x - expected.x).norm() < 1e-9 * expected.x.norm());
  CHECK((*estimate.covariance - *expected.covariance).norm() < 1e-9 * expected.covariance->norm());
}

TEST_CASE("Its innovations are as large as it says, a smaller declared σ shows") {
  const Eigen::Vector2d sigma(0.5, 0.05);
  Synthetic robot("planar2", "standard");
  robot.Declare(sigma, 0.2);
  const std::vector<Dataset> datasets = {robot.Record("a", 1000, sigma)};
  const auto nis = [&] {
    return RunScaledKf(robot.problem, datasets, Json::object())
        .diagnostics.at("normalised_innovation_squared");
  };
  // Of 2000 rows: mean 1, standard deviation √(2/2000); four of them.
  CHECK(nis() == doctest::Approx(1.0).epsilon(0.13));
  robot.problem.rows[0].sigma *= 0.5;
  CHECK(nis() > 2.5);  // 4, less what process noise explains
}

TEST_CASE("Joint parameters of which nothing is known are refused") {
  Synthetic robot("planar2", "standard");
  robot.Declare(Eigen::Vector2d(0.5, 0.05), 0.2);
  robot.problem.parameters.prior->covariance.reset();
  const Estimate estimate = RunScaledKf(robot.problem, {robot.Record("a", 10)}, Json::object());
  CHECK(estimate.outcome == Outcome::kRefused);
  CHECK(estimate.reason.starts_with("needs to know how far the prior of joint1.fv may be off"));
}

}  // namespace
}  // namespace idbench
