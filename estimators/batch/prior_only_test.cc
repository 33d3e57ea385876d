#include "estimators/batch/prior_only.h"

#include <doctest/doctest.h>

#include "estimators/synthetic_test.h"

namespace idbench {
namespace {

TEST_CASE("prior_only returns the prior's mean and covariance, and needs no data") {
  Synthetic robot("planar2");
  const Eigen::Index size = robot.problem.parameters.size();
  robot.problem.parameters.prior->covariance = 0.25 * Eigen::MatrixXd::Identity(size, size);
  const Estimate estimate = PriorOnly().Run(robot.problem, {});
  REQUIRE(estimate.ok());
  CHECK(estimate.x == robot.problem.parameters.prior->mean);
  CHECK(*estimate.covariance == *robot.problem.parameters.prior->covariance);
  CHECK(estimate.pi == robot.problem.parameters.Pi(estimate.x));
}

TEST_CASE("A prior without covariance gives an estimate without one") {
  CHECK(!PriorOnly().Run(Synthetic("planar2").problem, {}).covariance);
}

TEST_CASE("Without a prior it refuses") {
  Synthetic robot("planar2");
  robot.problem.parameters.prior.reset();
  const Estimate estimate = PriorOnly().Run(robot.problem, {});
  CHECK(estimate.outcome == Outcome::kRefused);
  CHECK(estimate.reason == "the problem states no prior");
}

}  // namespace
}  // namespace idbench
