#include "estimators/interface/estimate.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>

#include "estimators/interface/estimate_test.h"

namespace idbench {
namespace {

TEST_CASE("Outcomes have the names that records hold, each its own") {
  std::set<std::string_view> names;
  for (const Outcome outcome :
       {Outcome::kOk, Outcome::kRankDeficient, Outcome::kNotConverged, Outcome::kDiverged,
        Outcome::kNonFinite, Outcome::kRefused, Outcome::kCrashed}) {
    names.insert(ToString(outcome));
  }
  CHECK(names == std::set<std::string_view>{"ok", "rank_deficient", "not_converged", "diverged",
                                            "non_finite", "refused", "crashed"});
}

TEST_CASE("σ and %σ come from the covariance, and are absent without one") {
  Estimate estimate;
  estimate.x = Eigen::Vector4d(2.0, -0.5, 0.0, 0.0);
  CHECK(!estimate.sigma());
  CHECK(!estimate.percent_sigma());
  // Round-off may leave a variance just below zero.
  estimate.covariance = Eigen::Vector4d(0.04, 0.01, 1.0, -1e-20).asDiagonal();
  CHECK(estimate.sigma()->isApprox(Eigen::Vector4d(0.2, 0.1, 1.0, 0.0)));
  CHECK(estimate.percent_sigma()->head(2).isApprox(Eigen::Vector2d(10.0, 20.0)));
  CHECK((*estimate.percent_sigma())[2] == std::numeric_limits<double>::infinity());
  CHECK((*estimate.percent_sigma())[3] == 0.0);
}

TEST_CASE("A refusal is a failure by that name, with its reason") {
  CHECK(Refusal([] { Refuse("no such data"); }) == "no such data");
}

TEST_CASE("Where combinations show, σ is that of unknowns which show alone") {
  Estimate estimate;
  estimate.x = Eigen::Vector4d(2.0, 1.0, 3.0, 4.0);
  estimate.combinations.emplace();
  Combinations& shown = *estimate.combinations;
  shown.B.resize(2, 4);
  shown.B << 1.0, 0.0, 0.0, 0.0, /**/ 0.0, 1.0, -0.5, 0.0;  // the last one shows nowhere
  shown.basis = Eigen::MatrixXd::Zero(4, 2);
  shown.basis.topRows(2).setIdentity();
  CHECK(!estimate.sigma());
  CHECK(!estimate.percent_sigma());
  CHECK(!estimate.CovarianceOf(shown.B));
  shown.covariance = Eigen::Matrix2d{{0.04, 0.01}, {0.01, 0.09}};
  const Eigen::VectorXd sigma = *estimate.sigma(), percent = *estimate.percent_sigma();
  CHECK(sigma[0] == doctest::Approx(0.2));
  CHECK(percent[0] == doctest::Approx(10.0));
  for (const Eigen::Index hidden : {1, 2, 3}) {
    CHECK(std::isnan(sigma[hidden]));
    CHECK(std::isnan(percent[hidden]));
    CHECK(shown.Alone(hidden) == -1);
  }
  CHECK(shown.Alone(0) == 0);
  CHECK(estimate.CovarianceOf(shown.B)->isApprox(*shown.covariance));
  CHECK(
      estimate.CovarianceOf(2.0 * shown.B.row(0))->isApprox(Eigen::MatrixXd::Constant(1, 1, 0.16)));
}

}  // namespace
}  // namespace idbench
