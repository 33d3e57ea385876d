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

Eigen::VectorXd CountsOf(const std::vector<Eigen::MatrixXd>& residuals) {
  Eigen::Index samples = 0;
  for (const Eigen::MatrixXd& part : residuals) samples += part.rows();
  return Eigen::VectorXd::Constant(residuals.front().cols(), static_cast<double>(samples));
}

ResidualStatistics Judge(const std::vector<Eigen::MatrixXd>& residuals, int unknowns) {
  return JudgeResiduals(residuals, CountsOf(residuals), unknowns);
}

int CountCorrelated(Eigen::Index samples, double phi) {
  int count = 0;
  for (int trial = 0; trial < 200; ++trial) {
    count += Judge({Coloured(samples, phi, trial)}, 10).correlated ? 1 : 0;
  }
  return count;
}

TEST_CASE(
    "The variance of a row has samples - unknowns/rows degrees of freedom, over all datasets") {
  Eigen::MatrixXd first(2, 2), second(1, 2);
  first << 1.0, 4.0, -2.0, 0.0;
  second << 2.0, 3.0;
  const ResidualStatistics statistics = Judge({first, second}, 3);
  CHECK(statistics.Variance()[0] == doctest::Approx(9.0 / 1.5).epsilon(1e-15));
  CHECK(statistics.Variance()[1] == doctest::Approx(25.0 / 1.5).epsilon(1e-15));
}

TEST_CASE("The long-run ratio is its defining sum, and datasets are not joined") {
  Eigen::MatrixXd first(3, 1), second(2, 1);
  first << 1.0, 2.0, 3.0;
  second << 1.0, -1.0;
  const double lag1 = 1.0 * 2.0 + 2.0 * 3.0 - 1.0, lag2 = 1.0 * 3.0, squares = 16.0;
  const double expected = 1.0 + 2.0 * (10.0 / 11.0 * lag1 + 9.0 / 11.0 * lag2) / squares;
  CHECK(Judge({first, second}, 1).long_run_ratio[0] == doctest::Approx(expected).epsilon(1e-15));
}

TEST_CASE("White residuals pass, many or few; correlated ones do not") {
  // Of 200 at a false-alarm rate of 0.001; χ² is its limit for many samples.
  CHECK(CountCorrelated(30, 0.0) <= 2);
  CHECK(CountCorrelated(100, 0.0) <= 2);
  CHECK(CountCorrelated(1000, 0.0) <= 2);
  CHECK(CountCorrelated(1000, 0.5) == 200);
  CHECK(CountCorrelated(4000, -0.6) == 200);  // σ would be stated too large
  CHECK(CountCorrelated(100, 0.9) >= 195);
}

TEST_CASE("Slow noise that white noise buries in each sample shows in means of neighbours") {
  int direct = 0, all = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Eigen::MatrixXd slow = Coloured(4000, 0.98, trial), white = Coloured(4000, 0.0, ~trial);
    // A thirtieth of the power, and 3.3 times the density at low frequency.
    const Eigen::MatrixXd both = white + std::sqrt((1.0 - 0.98 * 0.98) / 30.0) * slow;
    all += Judge({both}, 10).correlated ? 1 : 0;
    // Ten unknowns for each ten means: only the samples themselves are looked at.
    direct += Judge({both}, 1000).correlated ? 1 : 0;
  }
  CHECK(all >= 70);
  CHECK(direct <= all / 2);
}

TEST_CASE("Where a shape of the noise is declared, residuals are correlated if they have another") {
  const auto count = [](double phi, double declared) {
    Eigen::VectorXd shape(200);
    for (Eigen::Index lag = 0; lag < shape.size(); ++lag) {
      shape[lag] = 10.0 * std::pow(declared, static_cast<double>(lag));  // and more than there is
    }
    int correlated = 0;
    for (int trial = 0; trial < 100; ++trial) {
      const std::vector<Eigen::MatrixXd> residuals = {Coloured(4000, phi, trial)};
      correlated +=
          JudgeResiduals(residuals, CountsOf(residuals), 10, {shape, Eigen::VectorXd::Ones(1)})
              .correlated;
    }
    return correlated;
  };
  CHECK(count(0.9, 0.9) == 0);
  CHECK(count(0.0, 0.0) == 0);
  CHECK(count(0.9, 0.5) == 100);
  CHECK(count(0.5, 0.9) == 100);
}

TEST_CASE("Few residuals of the declared shape are looked at if they are larger than declared") {
  // Sums of neighbours are too few to tell an error that is as slow as the noise.
  const auto count = [](double part) {
    Eigen::VectorXd shape(60);
    for (Eigen::Index lag = 0; lag < shape.size(); ++lag) {
      shape[lag] = part * std::pow(0.8, static_cast<double>(lag)) / (1.0 - 0.8 * 0.8);
    }
    int correlated = 0;
    for (int trial = 0; trial < 100; ++trial) {
      const std::vector<Eigen::MatrixXd> residuals = {Coloured(400, 0.8, trial)};
      correlated +=
          JudgeResiduals(residuals, CountsOf(residuals), 10, {shape, Eigen::VectorXd::Ones(1)})
              .correlated;
    }
    return correlated;
  };
  CHECK(count(1.0) == 0);
  CHECK(count(0.2) == 100);
}

TEST_CASE("Each row is judged on its own") {
  const ResidualStatistics statistics = Judge({Coloured(1000, 0.8, 0)}, 10);
  // (1 + φ)/(1 − φ) = 9, less what the taper over ten lags leaves out.
  CHECK(statistics.long_run_ratio[0] == doctest::Approx(6.0).epsilon(0.2));
  CHECK(statistics.long_run_ratio[1] == doctest::Approx(1.0).epsilon(0.3));
}

TEST_CASE("Residuals that are all zero are not correlated") {
  const ResidualStatistics statistics = Judge({Eigen::MatrixXd::Zero(20, 2)}, 4);
  CHECK(!statistics.correlated);
  CHECK(statistics.Variance().isZero(0.0));
  CHECK(statistics.long_run_ratio == Eigen::Vector2d(1, 1));
}

TEST_CASE("Without a degree of freedom there is no variance") {
  CHECK_THROWS_WITH_AS(Judge({Eigen::MatrixXd::Ones(5, 2)}, 10).Variance(),
                       "5 samples of 2 equations leave no degree of freedom beside 10 unknowns",
                       EstimationFailure);
}

}  // namespace
}  // namespace idbench
