#include "estimators/batch/ols.h"

#include <doctest/doctest.h>

#include "estimators/solvers/residual_statistics.h"
#include "estimators/synthetic_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("ols is the unweighted regression, its covariance that of each row's own noise") {
  const Synthetic robot("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 200, Eigen::Vector2d(0.5, 0.1))};
  const Estimate estimate = Ols().Run(robot.problem, datasets);
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  const LinearRegression regression(robot.problem, datasets);
  const Eigen::Vector2d ones(1, 1);
  const LeastSquaresSolution solution = regression.Solve(ones);
  CHECK(estimate.x == solution.x);
  const ResidualStatistics residuals =
      JudgeResiduals(regression.Residuals(solution.x), regression.counts(), regression.unknowns());
  REQUIRE(estimate.covariance);
  CHECK(*estimate.covariance == regression.Covariance(solution, ones, residuals.Variance()));
  CHECK(estimate.diagnostics.at("condition") == solution.condition);
  CHECK(estimate.diagnostics.at("percent_sigma_median") > 0.0);
  CHECK(estimate.notes.empty());
}

TEST_CASE("ols filters where its option says so") {
  const Synthetic robot("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 1000, Eigen::Vector2d(0.5, 0.1))};
  Ols ols;
  std::vector<Issue> issues;
  ReadFields(ols.Fields(), Json{{"parallel_filter", {{"cutoff_hz", 5.0}, {"order", 4}}}}, "",
             issues);
  REQUIRE(issues.empty());
  const LinearRegression filtered(robot.problem, datasets, ParallelFilter{5.0, 4});
  const Estimate estimate = ols.Run(robot.problem, datasets);
  CHECK(estimate.x == filtered.Solve(Eigen::Vector2d(1, 1)).x);
  CHECK(estimate.x != Ols().Run(robot.problem, datasets).x);
}

}  // namespace
}  // namespace idbench
