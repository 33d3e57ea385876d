#include "estimators/solvers/linearisation_review.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>

#include "estimators/online/ekf.h"
#include "estimators/synthetic_test.h"

namespace idbench {
namespace {

double ErrorOf(const Estimate& estimate) {
  return estimate.diagnostics.at("linearisation_error_sigma");
}

TEST_CASE("A filter of a linear problem misses nothing, and one that is off by c σ misses c") {
  const Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 400, kSigma)};
  const Estimate filtered = Ekf().Run(robot.problem, datasets);
  REQUIRE(filtered.ok());
  CHECK_FALSE(filtered.diagnostics.contains("linearisation_error_sigma"));
  const PriorSpread prior = {*robot.problem.parameters.prior->covariance};
  Estimate reviewed = filtered;
  ReviewLinearisation(robot.problem, datasets, prior, reviewed);
  CHECK(ErrorOf(reviewed) < 1e-6);
  CHECK(reviewed.covariance == filtered.covariance);
  CHECK(reviewed.notes == filtered.notes);

  const Eigen::MatrixXd root = filtered.covariance->llt().matrixL();
  for (const double c : {0.45, 0.55}) {
    CAPTURE(c);
    Estimate off = filtered;
    off.x += c * root * Eigen::VectorXd::Ones(off.x.size());
    ReviewLinearisation(robot.problem, datasets, prior, off);
    CHECK(ErrorOf(off) == doctest::Approx(c).epsilon(0.1));
    CHECK(off.covariance.has_value() == (c < 0.5));
    CHECK(off.notes.contains("covariance") == (c > 0.5));
  }
}

TEST_CASE("Unknowns without variance are left out of what a filter may miss") {
  Synthetic robot = Declared("planar2");
  Eigen::MatrixXd& prior = *robot.problem.parameters.prior->covariance;
  prior.row(3).setZero();
  prior.col(3).setZero();
  robot.problem.parameters.prior->mean[3] = robot.x()[3];
  const std::vector<Dataset> datasets = {robot.Record("a", 400, kSigma)};
  Estimate estimate = Ekf().Run(robot.problem, datasets);
  ReviewLinearisation(robot.problem, datasets, {prior}, estimate);
  CHECK(ErrorOf(estimate) < 1e-6);
  CHECK(estimate.covariance);
}

}  // namespace
}  // namespace idbench
