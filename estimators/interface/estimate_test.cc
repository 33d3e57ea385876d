#include "estimators/interface/estimate.h"

#include <doctest/doctest.h>

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

}  // namespace
}  // namespace idbench
