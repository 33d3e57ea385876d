#include "estimators/solvers/residual_statistics.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/interface/estimate.h"
#include "robots/random/random_stream.h"

namespace idbench {
namespace {

/// e_i = φ·e_{i−1} + white noise, two rows; the second white.
Eigen::MatrixXd Coloured(Eigen::Index samples, double phi, int trial) {
  const RandomStream stream(5, trial, "residual_statistics_test");
  Eigen::MatrixXd e(samples, 2);
  double last = 0.0;
  for (Eigen::Index i = 0; i < samples; ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    last = phi * last + stream.Normal(0, index);
    e(i, 0) = last;
    e(i, 1) = stream.Normal(1, index);
  }
  return e;
}

int CountCorrelated(Eigen::Index samples, double phi) {
  int count = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const ResidualStatistics statistics = JudgeResiduals({Coloured(samples, phi, trial)}, 10);
    const Eigen::VectorXd& ratio = statistics.long_run_ratio;
    CHECK(statistics.tolerance == 0.5 + 2.5 * 3.57 / std::sqrt(static_cast<double>(samples)));
    count += statistics.IsCorrelated(ratio[0]) || statistics.IsCorrelated(ratio[1]) ? 1 : 0;
  }
  return count;
}

TEST_CASE(
    "The variance of a row has samples - unknowns/rows degrees of freedom, over all datasets") {
  Eigen::MatrixXd first(2, 2), second(1, 2);
  first << 1.0, 4.0, -2.0, 0.0;
  second << 2.0, 3.0;
  const ResidualStatistics statistics = JudgeResiduals({first, second}, 3);
  CHECK(statistics.variance[0] == doctest::Approx(9.0 / 1.5).epsilon(1e-15));
  CHECK(statistics.variance[1] == doctest::Approx(25.0 / 1.5).epsilon(1e-15));
}

TEST_CASE("The long-run ratio is its defining sum, and datasets are not joined") {
  Eigen::MatrixXd first(3, 1), second(2, 1);
  first << 1.0, 2.0, 3.0;
  second << 1.0, -1.0;
  const double lag1 = 1.0 * 2.0 + 2.0 * 3.0 - 1.0, lag2 = 1.0 * 3.0, squares = 16.0;
  const double expected = 1.0 + 2.0 * (10.0 / 11.0 * lag1 + 9.0 / 11.0 * lag2) / squares;
  CHECK(JudgeResiduals({first, second}, 1).long_run_ratio[0] ==
        doctest::Approx(expected).epsilon(1e-15));
}

TEST_CASE("White residuals pass, many or few; correlated ones do not") {
  CHECK(CountCorrelated(30, 0.0) <= 10);  // of 200; v is skewed where samples are few
  CHECK(CountCorrelated(100, 0.0) <= 4);
  CHECK(CountCorrelated(1000, 0.0) <= 1);
  CHECK(CountCorrelated(1000, 0.5) == 200);   // v = 2.7
  CHECK(CountCorrelated(4000, -0.6) == 200);  // v = 0.29: σ would be stated too large
  CHECK(CountCorrelated(100, 0.9) >= 195);
}

TEST_CASE("Each row is judged on its own") {
  const ResidualStatistics statistics = JudgeResiduals({Coloured(1000, 0.8, 0)}, 10);
  // (1 + φ)/(1 − φ) = 9, less what the taper over ten lags leaves out.
  CHECK(statistics.long_run_ratio[0] == doctest::Approx(6.0).epsilon(0.2));
  CHECK(statistics.long_run_ratio[1] == doctest::Approx(1.0).epsilon(0.3));
}

TEST_CASE("Residuals that are all zero are not correlated") {
  const ResidualStatistics statistics = JudgeResiduals({Eigen::MatrixXd::Zero(20, 2)}, 4);
  CHECK(statistics.variance.isZero(0.0));
  CHECK(statistics.long_run_ratio == Eigen::Vector2d(1, 1));
}

TEST_CASE("Without a degree of freedom there is no variance") {
  CHECK_THROWS_WITH_AS(JudgeResiduals({Eigen::MatrixXd::Ones(5, 2)}, 10),
                       "5 samples of 2 equations leave no degree of freedom beside 10 unknowns",
                       EstimationFailure);
}

}  // namespace
}  // namespace idbench
