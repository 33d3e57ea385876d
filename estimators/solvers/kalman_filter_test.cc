#include "estimators/solvers/kalman_filter.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "robots/random/random_stream.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

Eigen::MatrixXd Gaussian(Eigen::Index rows, Eigen::Index columns, const std::string& name) {
  const RandomStream stream(3, 0, name);
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&](Eigen::Index i, Eigen::Index j) {
    return stream.Normal(static_cast<std::uint64_t>(j), static_cast<std::uint64_t>(i));
  });
}

/// A covariance with correlations.
Eigen::MatrixXd AnyCovariance(Eigen::Index size) {
  const Eigen::MatrixXd root = Gaussian(size, size, "root");
  return root * root.transpose() + 0.1 * Eigen::MatrixXd::Identity(size, size);
}

TEST_CASE("Row by row is all at once: x̂ and P are those of the textbook's formula") {
  constexpr Eigen::Index kUnknowns = 6, kRows = 4;
  Eigen::VectorXd x = Gaussian(kUnknowns, 1, "x");
  Eigen::MatrixXd P = AnyCovariance(kUnknowns);
  const Eigen::MatrixXd P0 = P;
  KalmanFilter filter(x, P);
  const Eigen::Vector4d variance(0.3, 0.01, 2.0, 0.7);
  for (int sample = 0; sample < 5; ++sample) {
    CAPTURE(sample);
    Eigen::MatrixXd H = Gaussian(kRows, kUnknowns, "H" + std::to_string(sample));
    H.row(1).head(3).setZero();  // as a joint's row begins
    H.row(2).setZero();
    const Eigen::VectorXd residual = Gaussian(kRows, 1, "e" + std::to_string(sample));
    filter.Wander(0.05);
    filter.Correct(H, residual, variance);
    // S = H P Hᵀ + R, K = P Hᵀ S⁻¹, x ← x + K e, P ← (1 − K H) P (1 − K H)ᵀ + K R Kᵀ
    P += 0.05 * P0;
    const Eigen::MatrixXd R = variance.asDiagonal();
    const Eigen::MatrixXd S = H * P * H.transpose() + R;
    const Eigen::MatrixXd K = S.llt().solve(H * P).transpose();
    const Eigen::MatrixXd left = Eigen::MatrixXd::Identity(kUnknowns, kUnknowns) - K * H;
    x += K * residual;
    P = left * P * left.transpose() + K * R * K.transpose();
    // Condition of S, about 1e4, times round-off.
    CHECK((filter.state() - x).norm() < 1e-11 * x.norm());
    CHECK((filter.covariance() - P).norm() < 1e-11 * P0.norm());
  }
}

TEST_CASE("The covariance stays symmetric to the bit and positive definite over 40 s at 100 Hz") {
  // Units as apart as kilograms and kg·m² of a finger, and noise of a millionth of what a prior
  // leaves open: every sample cancels ten of sixteen digits.
  constexpr Eigen::Index kUnknowns = 12, kRows = 7;
  const Eigen::VectorXd scale = Eigen::VectorXd::NullaryExpr(
      kUnknowns, [](Eigen::Index k) { return k % 2 == 0 ? 1.0 : 1e-5; });
  const Eigen::MatrixXd P0 = scale.asDiagonal() * AnyCovariance(kUnknowns) * scale.asDiagonal();
  for (const double process_noise : {0.0, 1e-4}) {
    CAPTURE(process_noise);
    KalmanFilter filter(Eigen::VectorXd::Zero(kUnknowns), P0);
    const Eigen::VectorXd variance = Eigen::VectorXd::Constant(kRows, 1e-10);
    const ProcessNoise noise{.per_sample = process_noise, .decay_s = 2.0};
    const Eigen::MatrixXd directions = Gaussian(kRows * 4000, kUnknowns, "directions");
    for (Eigen::Index sample = 0; sample < 4000; ++sample) {
      filter.Wander(noise.At(0.01 * static_cast<double>(sample), 0.01));
      filter.Correct(
          directions.middleRows(kRows * sample, kRows) * scale.cwiseInverse().asDiagonal(),
          Eigen::VectorXd::Zero(kRows), variance);
    }
    const Eigen::MatrixXd& P = filter.covariance();
    CHECK(P == P.transpose());
    const Eigen::VectorXd deviation = P.diagonal().cwiseSqrt();
    const Eigen::MatrixXd correlation =
        deviation.cwiseInverse().asDiagonal() * P * deviation.cwiseInverse().asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(correlation, Eigen::EigenvaluesOnly);
    // Rows are white, so unknowns end nearly uncorrelated.
    CHECK(eigen.eigenvalues().minCoeff() > 0.1);
    if (process_noise > 0.0) continue;
    // σ²·(HᵀH)⁻¹ with 28,000 rows of unit variance; a variance has 1/√14,000 of chance.
    const Eigen::VectorXd expected = 1e-10 / 28000.0 * scale.array().square();
    CHECK((P.diagonal().cwiseQuotient(expected).array() - 1.0).abs().maxCoeff() < 0.05);
  }
}

TEST_CASE("A direction without variance never moves, and what is not measured neither") {
  Eigen::Matrix3d P = Eigen::Vector3d(1.0, 0.0, 2.0).asDiagonal();
  KalmanFilter filter(Eigen::Vector3d(1.0, 2.0, 3.0), P);
  filter.Wander(0.5);
  filter.Correct(Eigen::RowVector3d(1.0, 1.0, 0.0), Eigen::VectorXd::Constant(1, 4.0),
                 Eigen::VectorXd::Constant(1, 1.0));
  // P = 1.5, s = 2.5
  CHECK(filter.state() == Eigen::Vector3d(1.0 + 4.0 / 2.5 * 1.5, 2.0, 3.0));
  CHECK(filter.covariance().col(1) == Eigen::Vector3d::Zero());
  CHECK(filter.covariance()(2, 2) == 3.0);
}

TEST_CASE("A row whose residual is not finite is left out, the others count") {
  const Eigen::MatrixXd P = AnyCovariance(3);
  Eigen::MatrixXd H = Gaussian(3, 3, "H");
  KalmanFilter without(Eigen::Vector3d::Zero(), P);
  const Eigen::Vector2d two(0.4, -0.3);
  without.Correct(H.topRows(2), two, Eigen::Vector2d(1.0, 2.0));
  KalmanFilter with(Eigen::Vector3d::Zero(), P);
  H(2, 0) = std::nan("");
  with.Correct(H, Eigen::Vector3d(0.4, -0.3, std::nan("")), Eigen::Vector3d(1.0, 2.0, 3.0));
  CHECK(with.state() == without.state());
  CHECK(with.covariance() == without.covariance());
  CHECK(with.rows_left_out() == 1);
  CHECK(without.rows_left_out() == 0);
  CHECK(with.normalised_innovation_squared() == without.normalised_innovation_squared());
}

TEST_CASE("The normalised innovation is 1 for the noise that was declared, and its share else") {
  CHECK(!KalmanFilter(Eigen::Vector2d::Zero(), Eigen::Matrix2d::Identity())
             .normalised_innovation_squared());
  constexpr Eigen::Index kSamples = 5000;
  const Eigen::MatrixXd noise = Gaussian(kSamples, 1, "noise");
  const Eigen::MatrixXd H = Gaussian(kSamples, 2, "H");
  for (const double declared : {1.0, 4.0}) {
    KalmanFilter filter(Eigen::Vector2d::Zero(), Eigen::Matrix2d::Identity());
    for (Eigen::Index k = 0; k < kSamples; ++k) {
      // The truth is 0.
      const Eigen::VectorXd residual = noise.row(k) - H.row(k) * filter.state();
      filter.Correct(H.row(k), residual, Eigen::VectorXd::Constant(1, declared));
    }
    // The mean of 5,000 χ² has a deviation of √(2/5,000) = 0.02; four of them.
    CHECK(std::abs(*filter.normalised_innovation_squared() - 1.0 / declared) < 0.08 / declared);
  }
}

TEST_CASE("Process noise is none, or is added per second or per sample, and decays or stays") {
  CHECK(ProcessNoise{}.is_none());
  CHECK(ProcessNoise{}.At(3.0, 0.1) == 0.0);
  const ProcessNoise sampled{.per_sample = 0.5, .decay_s = 2.0}, steady{.per_sample = 0.5};
  CHECK(sampled.At(0.0, 0.0) == 0.5);
  CHECK(sampled.At(4.0, 0.01) == doctest::Approx(0.5 * std::exp(-2.0)).epsilon(1e-15));
  CHECK(steady.At(4000.0, 0.01) == 0.5);
  const ProcessNoise timed{.per_s = 0.5};
  CHECK(timed.At(0.0, 0.0) == 0.0);
  CHECK(timed.At(4.0, 0.01) == doctest::Approx(0.005).epsilon(1e-15));
  CHECK_FALSE(timed.is_none());
}

TEST_CASE("Process noise per second and per sample are not given together") {
  ProcessNoise options;
  FieldTable table;
  AddFields(options, table);
  std::vector<Issue> issues;
  ReadFields(table, Json{{"process_noise", 1e-4}, {"process_noise_per_s", 0.01}}, "/estimators/ekf",
             issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/estimators/ekf/process_noise_per_s");
  CHECK(issues[0].what == "is given together with process_noise");
}

}  // namespace
}  // namespace idbench
