#include "estimators/solvers/residual_freedom.h"

#include <doctest/doctest.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "estimators/synthetic_test.h"

namespace idbench {
namespace {

TEST_CASE("White noise leaves one degree of freedom a sample, less the unknowns") {
  const Problem problem = Declared("planar2").problem;
  const ResidualFreedom freedom = FreedomOfResiduals(problem.rows, Eigen::Vector2d(100.0, 60.0), 7);
  CHECK(freedom.mean == doctest::Approx(153.0));
  CHECK(freedom.effective == doctest::Approx(153.0));
}

TEST_CASE("Coloured noise leaves tr(1 − P)R and Satterthwaite's degrees of it") {
  // A mean over 8 samples of white noise, fitted by 5 slow columns; the other row has one sample.
  constexpr Eigen::Index kLags = 8, kSamples = 600, kUnknowns = 5;
  Problem problem = Declared("planar2").problem;
  problem.rows.front().chosen = {0};
  problem.rows.front().sigma = Eigen::VectorXd::Constant(1, 0.4);
  problem.rows.front().sample_sigma = problem.rows.front().sigma / std::sqrt(kLags);
  problem.rows.front().autocorrelation = Eigen::VectorXd::LinSpaced(kLags, 1.0, 1.0 / kLags);

  Eigen::MatrixXd correlation(kSamples, kSamples), columns(kSamples, kUnknowns);
  for (Eigen::Index i = 0; i < kSamples; ++i) {
    for (Eigen::Index k = 0; k < kSamples; ++k) {
      correlation(i, k) = std::max(0.0, static_cast<double>(kLags - std::abs(i - k)) / kLags);
    }
    for (Eigen::Index k = 0; k < kUnknowns; ++k) {
      columns(i, k) = std::cos(static_cast<double>(k) * 6.0 * static_cast<double>(i) / kSamples);
    }
  }
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(columns);
  const Eigen::MatrixXd Q = qr.householderQ() * Eigen::MatrixXd::Identity(kSamples, kUnknowns);
  const Eigen::MatrixXd left = correlation - Q * (Q.transpose() * correlation);
  const double mean = left.trace();
  const double effective = mean * mean / (left * left).trace();

  const ResidualFreedom freedom =
      FreedomOfResiduals(problem.rows, Eigen::VectorXd::Constant(1, kSamples), kUnknowns);
  // The columns' density at their own frequencies is that at 0 to a percent of 5·8. Of the variance
  // the fit takes another part than of the mean, 7 % of it here, and the ends correlate less.
  CHECK(freedom.mean == doctest::Approx(mean).epsilon(1e-3));
  CHECK(freedom.effective == doctest::Approx(effective).epsilon(0.05));
  CHECK(freedom.mean < kSamples - 4 * kUnknowns);
  CHECK(freedom.effective < 0.25 * freedom.mean);
}

}  // namespace
}  // namespace idbench
