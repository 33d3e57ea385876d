#include "estimators/batch/wls.h"

#include <doctest/doctest.h>

#include "estimators/batch/ols.h"
#include "estimators/solvers/residual_statistics.h"
#include "estimators/synthetic_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

Estimate RunWls(const Synthetic& robot, const std::vector<Dataset>& datasets, const Json& options) {
  Wls wls;
  std::vector<Issue> issues;
  ReadFields(wls.Fields(), options, "", issues);
  REQUIRE(issues.empty());
  return wls.Run(robot.problem, datasets);
}

TEST_CASE(
    "Weights are the inverse residual variances of the fit before, relative to the noisiest") {
  const Synthetic robot("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 200, Eigen::Vector2d(0.5, 0.1))};
  const LinearRegression regression(robot.problem, datasets);
  Eigen::VectorXd weights = Eigen::Vector2d(1, 1);
  for (int reweightings = 1; reweightings <= 3; ++reweightings) {
    const Eigen::VectorXd variance =
        JudgeResiduals(regression.Residuals(regression.Solve(weights).x), regression.counts(),
                       regression.unknowns())
            .Variance();
    weights = variance.maxCoeff() * variance.cwiseInverse();
    const Estimate estimate = RunWls(robot, datasets, {{"reweightings", reweightings}});
    const Eigen::VectorXd expected = regression.Solve(weights).x;
    CHECK((estimate.x - expected).norm() < 1e-12 * expected.norm());
    CHECK(estimate.diagnostics.at("reweightings") == reweightings);
    CHECK(estimate.diagnostics.at("weight_ratio") ==
          doctest::Approx(weights.maxCoeff() / weights.minCoeff()).epsilon(1e-12));
  }
  // σ are 0.5 and 0.1; with 195 degrees of freedom each variance is known to 10 %.
  CHECK(weights[1] / weights[0] == doctest::Approx(25.0).epsilon(0.4));
}

TEST_CASE("Where joints differ in noise, weights pay in what both of them show") {
  const Synthetic robot("planar2");
  const Eigen::VectorXd truth = robot.x();
  std::vector<Eigen::Index> link2;  // the noisy joint 1 carries it too
  for (Eigen::Index k = 0; k < truth.size(); ++k) {
    if (robot.problem.parameters.names[static_cast<std::size_t>(k)].starts_with("link2.")) {
      link2.push_back(k);
    }
  }
  REQUIRE(link2.size() >= 3);
  double ols_squares = 0.0;
  double wls_squares = 0.0;
  for (int trial = 0; trial < 50; ++trial) {
    const std::vector<Dataset> datasets = {
        robot.Record("a", 200, Eigen::Vector2d(1.0, 0.02), trial)};
    const Eigen::VectorXd ols_error = Ols().Run(robot.problem, datasets).x - truth;
    const Eigen::VectorXd wls_error = Wls().Run(robot.problem, datasets).x - truth;
    for (const Eigen::Index k : link2) {
      ols_squares += ols_error[k] * ols_error[k];
      wls_squares += wls_error[k] * wls_error[k];
    }
  }
  CHECK(wls_squares < 0.1 * ols_squares);
}

TEST_CASE("Weights are capped: at a ratio of 1, wls is ols to the bit") {
  const Synthetic robot("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 200, Eigen::Vector2d(0.5, 0.01))};
  CHECK(RunWls(robot, datasets, {{"weight_ratio_cap", 1.0}}).x ==
        Ols().Run(robot.problem, datasets).x);
  CHECK(RunWls(robot, datasets, {{"weight_ratio_cap", 50.0}}).diagnostics.at("weight_ratio") ==
        doctest::Approx(50.0).epsilon(1e-12));
  CHECK(RunWls(robot, datasets, Json::object()).diagnostics.at("weight_ratio") > 1000.0);
}

TEST_CASE("A joint without any residual does not take all the weight") {
  const Synthetic robot("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 200, Eigen::Vector2d(0.5, 0.0))};
  const Estimate estimate = Wls().Run(robot.problem, datasets);
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  CHECK(estimate.diagnostics.at("weight_ratio") == doctest::Approx(1e6).epsilon(1e-9));
}

TEST_CASE("Torques and motion of zero: nothing moves, the outcome says what is not determined") {
  Synthetic robot("planar2");
  Dataset still = robot.Record("a", 50);
  for (const std::string_view name :
       {kJointPosition, kJointVelocity, kJointAcceleration, kJointTorque}) {
    still = WithChannel(still, name, [](Eigen::MatrixXd& samples) { samples.setZero(); });
  }
  const std::vector<Dataset> datasets = {still};
  const Estimate estimate = Wls().Run(robot.problem, datasets);
  CHECK(estimate.outcome == Outcome::kRankDeficient);
}

TEST_CASE("Without a number of re-weightings, the weights are those of the fit's own residuals") {
  const Synthetic robot("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 200, Eigen::Vector2d(0.5, 0.1))};
  const Estimate estimate = RunWls(robot, datasets, Json::object());
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  CHECK(estimate.diagnostics.at("reweightings") > 3);
  const LinearRegression regression(robot.problem, datasets);
  const Eigen::VectorXd variance =
      JudgeResiduals(regression.Residuals(estimate.x), regression.counts(), regression.unknowns())
          .Variance();
  // A last round changes the weights by 1e-6 at most.
  CHECK(estimate.diagnostics.at("weight_ratio") ==
        doctest::Approx(variance.maxCoeff() / variance.minCoeff()).epsilon(2e-6));
  const Estimate once_more =
      RunWls(robot, datasets, {{"reweightings", estimate.diagnostics.at("reweightings") + 1}});
  CHECK((once_more.x - estimate.x).norm() < 1e-6 * estimate.x.norm());
  CHECK(RunWls(robot, datasets, {{"reweightings", nullptr}}).x == estimate.x);
}

TEST_CASE("Residuals that are round-off do not keep weights from converging") {
  const Synthetic robot("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 200)};
  const Estimate estimate = Wls().Run(robot.problem, datasets);
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  CHECK((estimate.x - robot.x()).norm() < 1e-9 * robot.x().norm());
}

TEST_CASE("More than 200 re-weightings, none, or a cap below 1 are refused by the reader") {
  const auto refusal = [](const Json& options) {
    Wls wls;
    std::vector<Issue> issues;
    ReadFields(wls.Fields(), options, "/estimators/wls", issues);
    REQUIRE(issues.size() == 1);
    REQUIRE(issues[0].details.size() == 1);
    return issues[0].where + ": " + issues[0].what + "; " + issues[0].details[0];
  };
  CHECK(refusal({{"reweightings", 201}}) ==
        "/estimators/wls/reweightings: got 201; accepted here: an integer, at least 1 and at most "
        "200");
  CHECK(refusal({{"reweightings", 0}}) ==
        "/estimators/wls/reweightings: got 0; accepted here: an integer, at least 1 and at most "
        "200");
  CHECK(refusal({{"weight_ratio_cap", 0.5}}) ==
        "/estimators/wls/weight_ratio_cap: got 0.5; accepted here: a number, at least 1");
}

}  // namespace
}  // namespace idbench
