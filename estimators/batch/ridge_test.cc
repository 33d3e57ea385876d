#include "estimators/batch/ridge.h"

#include <doctest/doctest.h>

#include "estimators/synthetic_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

Estimate RunRidge(const Synthetic& robot, const std::vector<Dataset>& datasets, double lambda) {
  Ridge ridge;
  std::vector<Issue> issues;
  ReadFields(ridge.Fields(), Json{{"lambda", lambda}}, "", issues);
  REQUIRE(issues.empty());
  return ridge.Run(robot.problem, datasets);
}

TEST_CASE("From little to much weight, a ridge goes from least squares to the prior") {
  const Synthetic robot("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 200, Eigen::Vector2d(0.5, 0.1))};
  const Eigen::VectorXd prior = robot.problem.parameters.prior->mean;
  const LinearRegression regression(robot.problem, datasets);
  const Eigen::VectorXd least_squares = regression.Solve(Eigen::Vector2d(1, 1)).x;
  // An eigendirection of the scaled Gram with value s moves λ/(s + λ) of the way; s is in 1e-4
  // … 10.
  CHECK((RunRidge(robot, datasets, 1e-11).x - least_squares).norm() < 1e-6 * prior.norm());
  CHECK((RunRidge(robot, datasets, 1e9).x - prior).norm() < 1e-7 * prior.norm());
  double last = 0.0;
  for (const double lambda : {1e-6, 1e-4, 1e-2, 1.0}) {
    const double residual = regression.Residuals(RunRidge(robot, datasets, lambda).x)[0].norm();
    CHECK(residual > last);  // the fit only gets worse
    last = residual;
  }
}

TEST_CASE("What the data do not see stays at the prior, a column of round-off included") {
  const Synthetic robot("planar2", "standard");
  const std::vector<Dataset> datasets = {robot.Record("a", 200, Eigen::Vector2d(0.5, 0.1))};
  const Eigen::VectorXd prior = robot.problem.parameters.prior->mean;
  const Estimate estimate = RunRidge(robot, datasets, 1e-4);
  REQUIRE(estimate.ok());
  int unseen = 0;
  for (std::size_t k = 0; k < robot.problem.parameters.names.size(); ++k) {
    const std::string& name = robot.problem.parameters.names[k];
    // Both joints turn about y: first moments along y and products with y never show.
    if (!name.ends_with(".mcy") && !name.ends_with(".Ixy") && !name.ends_with(".Iyz")) continue;
    ++unseen;
    CAPTURE(name);
    const auto at = static_cast<Eigen::Index>(k);
    CHECK(estimate.x[at] == doctest::Approx(prior[at]).epsilon(1e-12));
  }
  CHECK(unseen == 6);
}

TEST_CASE("A ridge states no covariance and says why") {
  const Synthetic robot("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 200)};
  const Estimate estimate = RunRidge(robot, datasets, 1e-4);
  REQUIRE(estimate.ok());
  CHECK(!estimate.covariance);
  CHECK(estimate.notes.at("covariance") == "none stated: a ridge does not know its bias");
  CHECK(estimate.diagnostics.at("condition") > 1.0);
  CHECK(estimate.diagnostics.at("condition") <= std::sqrt(10.0 / 1e-4) * 1.01);  // p unit columns
}

TEST_CASE("A ridge pulls what nothing is known of too, and says so") {
  Synthetic robot("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 200)};
  const Estimate before = RunRidge(robot, datasets, 1e-4);
  CHECK(!before.notes.contains("weights"));
  Parametrisation::Prior& prior = *robot.problem.parameters.prior;
  prior.covariance = Eigen::MatrixXd::Identity(prior.mean.size(), prior.mean.size());
  prior.unknown = prior.covariance->leftCols(1);
  const Estimate estimate = RunRidge(robot, datasets, 1e-4);
  CHECK(estimate.x == before.x);
  CHECK(estimate.notes.at("weights").starts_with("the prior's mean pulls unknowns of which"));
}

TEST_CASE("Without a prior it refuses, and a weight of zero is refused by the reader") {
  Synthetic robot("planar2");
  robot.problem.parameters.prior.reset();
  const std::vector<Dataset> datasets = {robot.Record("a", 200)};
  const Estimate estimate = Ridge().Run(robot.problem, datasets);
  CHECK(estimate.outcome == Outcome::kRefused);
  CHECK(estimate.reason == "ridge pulls towards a prior, and there is none");
  Ridge ridge;
  std::vector<Issue> issues;
  ReadFields(ridge.Fields(), Json{{"lambda", 0.0}}, "", issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/lambda");
}

}  // namespace
}  // namespace idbench
