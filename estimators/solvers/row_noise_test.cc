#include "estimators/solvers/row_noise.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "estimators/solvers/kalman_filter.h"
#include "estimators/synthetic_test.h"
#include "robots/random/random_stream.h"

namespace idbench {
namespace {

Eigen::MatrixXd Draws(Eigen::Index rows, Eigen::Index columns) {
  const RandomStream stream(3, 0, "row_noise");
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&](Eigen::Index i, Eigen::Index j) {
    return stream.Normal(static_cast<std::uint64_t>(j), static_cast<std::uint64_t>(i));
  });
}

/// planar2 with noise that has been through a mean of `lags` samples, of density σ² = 1.
Problem MeanOf(Eigen::Index lags) {
  Synthetic robot = Declared("planar2");
  EquationRows& rows = robot.problem.rows.front();
  rows.sigma.setOnes();
  rows.sample_sigma = rows.sigma / std::sqrt(static_cast<double>(lags));
  rows.autocorrelation = Eigen::VectorXd::LinSpaced(lags, 1.0, 1.0 / static_cast<double>(lags));
  return robot.problem;
}

/// γ_|i−k| of MeanOf(lags).
Eigen::MatrixXd Toeplitz(Eigen::Index lags, Eigen::Index size) {
  Eigen::MatrixXd gamma(size, size);
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index k = 0; k < size; ++k) {
      const auto apart = static_cast<double>(lags - std::abs(i - k));
      gamma(i, k) = std::max(0.0, apart) / static_cast<double>(lags * lags);
    }
  }
  return gamma;
}

/// Columns that vary slowly, samples × 2.
Eigen::MatrixXd SlowColumns(Eigen::Index samples) {
  const Eigen::ArrayXd t = Eigen::ArrayXd::LinSpaced(samples, 0.0, 6.0);
  Eigen::MatrixXd H(samples, 2);
  H << t.sin().matrix(), (1.7 * t + 0.3).cos().matrix();
  return H;
}

TEST_CASE("The past of a row is the sum of its samples with the autocovariance, also in blocks") {
  for (const Eigen::Index lags : {4, 300}) {
    const Eigen::Index samples = 2 * lags + 7;
    RowNoise noise(MeanOf(lags), 2);
    REQUIRE_FALSE(noise.is_white());
    const Eigen::MatrixXd H = SlowColumns(samples);
    Eigen::MatrixXd both = Eigen::MatrixXd::Zero(2, 2);
    for (Eigen::Index i = 0; i + 1 < samples; ++i) {
      both.row(1) = H.row(i);
      // A row that is left out counts nothing.
      const double residual = i == samples - 3 ? std::numeric_limits<double>::quiet_NaN() : 0.0;
      noise.Remember(both, Eigen::Vector2d(0.0, residual));
    }
    Eigen::VectorXd weights = Toeplitz(lags, samples).row(samples - 1).head(samples - 1);
    weights[samples - 3] = 0.0;
    Eigen::VectorXd past;
    noise.Past(1, past);
    // Blocks of five samples, in which H and γ change by some percent and both errors have means
    // near 0; blocks of one are exact.
    const double tolerance = lags == 4 ? 1e-14 : 2e-3;
    CHECK((past - H.topRows(samples - 1).transpose() * weights).norm() < tolerance * past.norm());
    noise.Past(0, past);
    CHECK(past.isZero(0.0));
  }
}

TEST_CASE("Under coloured noise a filter states what its gains leave, and its innovations' σ") {
  constexpr Eigen::Index kLags = 6, kSamples = 120;
  const Eigen::MatrixXd H = SlowColumns(kSamples);
  const Eigen::MatrixXd P0 = 4.0 * Eigen::MatrixXd::Identity(2, 2);
  RowNoise noise(MeanOf(kLags), 2);
  KalmanFilter filter(Eigen::Vector2d::Zero(), P0);
  Eigen::MatrixXd both = Eigen::MatrixXd::Zero(2, 2);
  for (Eigen::Index i = 0; i < kSamples; ++i) {
    both.row(0) = H.row(i);
    filter.Correct(both, Eigen::Vector2d(0.0, std::numeric_limits<double>::quiet_NaN()), noise);
  }
  // The filter's estimate is that of all samples: x̂ − x = N⁻¹ (P₀⁻¹ (x₀ − x) + Hᵀ v), σ = 1.
  const Eigen::MatrixXd inverse = (P0.inverse() + H.transpose() * H).inverse();
  const Eigen::MatrixXd sums = P0.inverse() + H.transpose() * Toeplitz(kLags, kSamples) * H;
  CHECK((filter.covariance() - inverse * sums * inverse).norm() < 1e-12 * P0.norm());

  // Drawn as declared, ν²/s has the mean 1 whatever the correlation: each trial is χ²/n of
  // correlated values; 2,000 trials of 120 with Σρ² about 4.
  const Eigen::MatrixXd root = Eigen::LLT<Eigen::MatrixXd>(Toeplitz(kLags, kSamples)).matrixL();
  const Eigen::MatrixXd draws = Draws(kSamples + 2, 400);
  double sum = 0.0;
  for (Eigen::Index trial = 0; trial < draws.cols(); ++trial) {
    const Eigen::VectorXd y =
        2.0 * H * draws.col(trial).tail(2) + root * draws.col(trial).head(kSamples);
    RowNoise own(MeanOf(kLags), 2);
    KalmanFilter run(Eigen::Vector2d::Zero(), P0);
    for (Eigen::Index i = 0; i < kSamples; ++i) {
      both.row(0) = H.row(i);
      run.Correct(
          both,
          Eigen::Vector2d(y[i] - H.row(i) * run.state(), std::numeric_limits<double>::quiet_NaN()),
          own);
    }
    sum += *run.normalised_innovation_squared();
  }
  // Deviation √(2·4/(120·400)) = 0.013; four of them.
  CHECK(std::abs(sum / 400.0 - 1.0) < 0.052);
}

TEST_CASE("White rows remember nothing") {
  RowNoise noise(Declared("planar2").problem, 2);
  CHECK(noise.is_white());
  CHECK(noise.variance() == noise.sample_variance());
}

}  // namespace
}  // namespace idbench
