#include "estimators/batch/consistent_wls.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "estimators/batch/wls.h"
#include "estimators/synthetic_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

Estimate RunConsistentWls(const Problem& problem, const std::vector<Dataset>& datasets,
                          const Json& options) {
  ConsistentWls method;
  std::vector<Issue> issues;
  ReadFields(method.Fields(), options, "", issues);
  REQUIRE(issues.empty());
  return method.Run(problem, datasets);
}

TEST_CASE("Weights by residuals are those by the σ that least squares without bodies finds") {
  Synthetic robot = Declared("planar2", "standard");
  const std::vector<Dataset> datasets = {robot.Record("a", 400, kSigma)};
  const Estimate rows = RunConsistentWls(robot.problem, datasets, Json::object());
  REQUIRE_MESSAGE(rows.ok(), rows.reason);
  // The residuals of weighted least squares in base parameters; a slight ridge changes nothing.
  const Synthetic base("planar2");
  const LinearRegression regression(base.problem, datasets);
  const Eigen::VectorXd squares = regression.ResidualSquares(Wls().Run(base.problem, datasets).x);
  robot.problem.rows[0].sigma = (squares / (400.0 - 24.0 / 2.0)).cwiseSqrt();
  const Estimate declared = RunConsistentWls(robot.problem, datasets, {{"weighting", "declared"}});
  REQUIRE_MESSAGE(declared.ok(), declared.reason);
  CHECK((rows.x - declared.x).norm() < 1e-5 * declared.x.norm());
  REQUIRE(rows.covariance);
  CHECK((*rows.covariance - *declared.covariance).norm() < 1e-4 * declared.covariance->norm());
  CHECK(rows.diagnostics.at("least_pseudo_inertia_margin") > 0.0);
}

TEST_CASE("Equal weights state no covariance, and correlated residuals a greater one") {
  const Synthetic robot = Declared("planar2", "standard");
  const Dataset dataset = robot.Record("a", 400, kSigma);
  const Estimate equal = RunConsistentWls(robot.problem, {dataset}, {{"weighting", "equal"}});
  REQUIRE(equal.ok());
  CHECK(!equal.covariance);
  CHECK(equal.notes.at("covariance") ==
        "none stated: equal weights do not know the noise of each row");
  const Dataset slow = WithChannel(dataset, kJointTorque, [](Eigen::MatrixXd& samples) {
    for (Eigen::Index i = 0; i < samples.rows(); ++i) samples(i, 1) += (i / 40 % 2 == 0) ? 1 : -1;
  });
  const Estimate rows = RunConsistentWls(robot.problem, {slow}, Json::object());
  REQUIRE(rows.ok());
  REQUIRE(rows.covariance);
  CHECK(rows.notes.at("sigma").starts_with(
      "that of residuals correlated in time; the variance of a combination of unknowns is "));
  CHECK(rows.diagnostics.at("long_run_variance_ratio") > 3.0);
}

TEST_CASE("Free friction needs data that show it") {
  Synthetic robot = Declared("planar2", "standard");
  robot.problem.parameters.prior->covariance.reset();
  CHECK(RunConsistentWls(robot.problem, {robot.Record("a", 100, kSigma)}, Json::object()).ok());
  const Dataset still = WithChannel(robot.Record("a", 100, kSigma), kJointVelocity,
                                    [](Eigen::MatrixXd& samples) { samples.col(1).setZero(); });
  const Estimate estimate = RunConsistentWls(robot.problem, {still}, Json::object());
  CHECK(estimate.outcome == Outcome::kRankDeficient);
  CHECK(estimate.reason ==
        "the data do not determine joint2.fv, and no prior holds it: record more, or declare a σ "
        "of it in /problem/prior/std");
}

TEST_CASE("Friction stays within its bounds, and σ is that without them") {
  Synthetic robot = Declared("planar2", "standard");
  const ParameterLayout layout(2);
  robot.pi[layout.Joint(1, JointParameter::kCoulomb)] = -0.3;  // no friction is
  const std::vector<Dataset> datasets = {robot.Record("a", 400, kSigma)};
  Parametrisation& parameters = robot.problem.parameters;
  const auto at = std::ranges::find(parameters.names, "joint2.fc") - parameters.names.begin();
  parameters.prior->covariance.reset();
  parameters.lower.setConstant(-1e6);
  parameters.upper.setConstant(1e6);
  const Estimate free = RunConsistentWls(robot.problem, datasets, Json::object());
  REQUIRE_MESSAGE(free.ok(), free.reason);
  CHECK(free.x[at] == doctest::Approx(-0.3).epsilon(0.1));
  CHECK(!free.notes.contains("bounds"));
  parameters.lower[at] = 0.0;
  const Estimate bounded = RunConsistentWls(robot.problem, datasets, Json::object());
  REQUIRE_MESSAGE(bounded.ok(), bounded.reason);
  CHECK(bounded.x[at] == 0.0);
  CHECK(bounded.notes.at("bounds") ==
        "at a bound: joint2.fc = 0; σ is that of the estimate without bounds");
  REQUIRE(bounded.covariance);
  CHECK((*bounded.covariance)(at, at) > 0.0);
  // A bound that the estimate keeps by itself changes no bit.
  parameters.lower[at] = -0.4;
  CHECK(RunConsistentWls(robot.problem, datasets, Json::object()).x == free.x);
}

TEST_CASE("Declared weights need a declared σ") {
  const Synthetic robot("planar2", "standard");
  const Estimate estimate =
      RunConsistentWls(robot.problem, {robot.Record("a", 100)}, {{"weighting", "declared"}});
  CHECK(estimate.outcome == Outcome::kRefused);
  CHECK(estimate.reason == "needs a positive declared σ of joint_torque");
}

}  // namespace
}  // namespace idbench
