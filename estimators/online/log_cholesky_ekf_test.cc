#include "estimators/online/log_cholesky_ekf.h"

#include <doctest/doctest.h>

#include "estimators/interface/estimate_test.h"
#include "estimators/online/scaled_kf.h"
#include "estimators/synthetic_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("Near to the prior it is the linear filter with the same prior") {
  // A narrow prior moves the state by a thousandth: the square of that is what it may differ by.
  const Synthetic robot = Declared("planar2", "standard");
  const std::vector<Dataset> datasets = {robot.Record("a", 80, kSigma)};
  const Json options = {{"lambda", 1e9}, {"process_noise", 0.0}};
  const Estimate curved = RunWith<LogCholeskyEkf>(robot.problem, datasets, options);
  const Estimate linear = RunWith<ScaledKf>(robot.problem, datasets, options);
  REQUIRE_MESSAGE(curved.ok(), curved.reason);
  REQUIRE_MESSAGE(linear.ok(), linear.reason);
  const Eigen::VectorXd moved = linear.x - robot.problem.parameters.prior->mean;
  CHECK((curved.x - linear.x).head(20).norm() < 0.02 * moved.head(20).norm());
  CHECK((*curved.covariance - *linear.covariance).norm() < 0.02 * linear.covariance->norm());
}

TEST_CASE("With \"prior\" it starts from the problem's covariance") {
  const Synthetic robot = Declared("planar2", "standard");
  LogCholeskyEkf method;
  std::vector<Issue> issues;
  ReadFields(method.Fields(), Json{{"p0", "prior"}}, "", issues);
  method.Begin(robot.problem);
  const Estimate estimate = method.Current();
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  const Eigen::MatrixXd& expected = *robot.problem.parameters.prior->covariance;
  CHECK((*estimate.covariance - expected).norm() < 1e-12 * expected.norm());
  CHECK((estimate.x - robot.problem.parameters.prior->mean).norm() < 1e-14);
}

TEST_CASE("Innovations are as large as it says where the prior is near, and bodies stay physical") {
  const Synthetic robot = Declared("planar2", "standard");
  const Estimate estimate =
      RunWith<LogCholeskyEkf>(robot.problem, {robot.Record("a", 1000, kSigma)}, Json::object());
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  // Of 2000 rows: standard deviation √(2/2000); four of them.
  CHECK(estimate.diagnostics.at("normalised_innovation_squared") ==
        doctest::Approx(1.0).epsilon(0.13));
  CHECK(estimate.diagnostics.at("least_pseudo_inertia_margin") > 0.0);
}

TEST_CASE("Bodies of which not all ten parameters are unknown are refused by name") {
  Synthetic robot("barrett_wam7", "masses_and_moments");
  robot.Declare(Eigen::VectorXd::Constant(7, 0.1), 0.2);
  const Estimate estimate =
      RunWith<LogCholeskyEkf>(robot.problem, {robot.Record("a", 10)}, Json::object());
  CHECK(estimate.outcome == Outcome::kRefused);
  CHECK(estimate.reason ==
        "needs all ten parameters of a body as unknowns; link1.m and others of its body are 4; use "
        "the parametrisation 'standard'");
}

}  // namespace
}  // namespace idbench
