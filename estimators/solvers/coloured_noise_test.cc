#include "estimators/solvers/coloured_noise.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "estimators/interface/estimate_test.h"
#include "estimators/solvers/covariance_root.h"
#include "estimators/synthetic_test.h"

namespace idbench {
namespace {

/// γ_k = 0.9^k·cos(k/3) for k = 0 … `lags`.
Eigen::VectorXd Decaying(Eigen::Index lags) {
  const Eigen::ArrayXd k = Eigen::ArrayXd::LinSpaced(lags + 1, 0.0, static_cast<double>(lags));
  return Eigen::pow(0.9, k) * (k / 3.0).cos();
}

Eigen::MatrixXd Toeplitz(const Eigen::VectorXd& gamma, Eigen::Index size) {
  return Eigen::MatrixXd::NullaryExpr(size, size, [&](Eigen::Index i, Eigen::Index k) {
    const Eigen::Index lag = std::abs(i - k);
    return lag < gamma.size() ? gamma[lag] : 0.0;
  });
}

/// Columns that no pattern relates, p = 5; the fourth is 0.
Eigen::MatrixXd SomeColumns(Eigen::Index samples) {
  const Eigen::ArrayXd t =
      Eigen::ArrayXd::LinSpaced(samples, 0.0, static_cast<double>(samples - 1));
  Eigen::MatrixXd C = Eigen::MatrixXd::Zero(samples, 5);
  for (const int k : {0, 1, 2, 4}) C.col(k) = (0.3 * (k + 1) * t + k * k).sin();
  return C;
}

TEST_CASE("A Toeplitz sum in blocks is that of the whole matrix, for short and for long noise") {
  for (const Eigen::Index lags : {0, 7, 48, 49, 150, 600}) {
    CAPTURE(lags);
    const Eigen::VectorXd gamma = Decaying(lags);
    ToeplitzGram gram(gamma, 5);
    Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(5, 5);
    for (const Eigen::Index samples : {400, 130}) {  // two datasets, independent
      const Eigen::MatrixXd C = SomeColumns(samples);
      gram.BeginDataset();
      for (Eigen::Index first = 0; first < samples; first += 90) {
        gram.Add(C.middleRows(first, std::min<Eigen::Index>(90, samples - first)));
      }
      expected += C.transpose() * Toeplitz(gamma, samples) * C;
    }
    CHECK((gram.Sum() - expected).norm() < 1e-12 * expected.norm());  // round-off of 400 terms
  }
}

TEST_CASE("White noise has the covariance of independent samples") {
  const Synthetic robot("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 700, Eigen::Vector2d(0.5, 0.2)),
                                         robot.Record("b", 90, Eigen::Vector2d(0.5, 0.2))};
  const LinearRegression regression(robot.problem, datasets);
  const Eigen::Vector2d weights(1.0, 3.0), variance(0.25, 0.04);
  const LeastSquaresSolution solution = regression.Solve(weights);
  const Eigen::MatrixXd coloured = ColouredCovariance(
      regression, solution, weights,
      {Eigen::VectorXd::Constant(1, variance[0]), Eigen::VectorXd::Constant(1, variance[1])});
  const Eigen::MatrixXd independent = regression.Covariance(solution, weights, variance);
  CHECK((coloured - independent).norm() < 1e-9 * independent.norm());
}

TEST_CASE("The covariance of a penalised fit under coloured noise is that of its definition") {
  Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 600, kSigma)};
  const LinearRegression regression(robot.problem, datasets);
  const Eigen::MatrixXd& P0 = *robot.problem.parameters.prior->covariance;
  const Eigen::VectorXd weights = kSigma.array().square().inverse();
  const LeastSquaresSolution solution = regression.SolveWithPrior(
      weights, {robot.problem.parameters.prior->mean, CovarianceRoot(P0)});
  const std::vector<Eigen::VectorXd> gamma = {0.25 * Decaying(80), 0.0025 * Decaying(5)};
  // x̂ = N⁻¹ (P₀⁻¹ x₀ + Σ w Aᵀy): its error is N⁻¹ (P₀⁻¹ (x₀ − x) + Σ w Aᵀe).
  const Eigen::Index p = regression.unknowns();
  std::vector<Eigen::MatrixXd> stacked(2, Eigen::MatrixXd(600, p));
  regression.VisitColumns(250, [&](const RowColumns& columns) {
    CHECK(columns.dataset == 0);
    stacked[static_cast<std::size_t>(columns.row)].middleRows(columns.first, columns.A.rows()) =
        columns.A;
  });
  Eigen::MatrixXd N = P0.inverse(), middle = P0.inverse();
  for (const std::size_t j : {0, 1}) {
    const double w = weights[static_cast<Eigen::Index>(j)];
    N += w * stacked[j].transpose() * stacked[j];
    middle += w * w * stacked[j].transpose() * Toeplitz(gamma[j], 600) * stacked[j];
  }
  const Eigen::MatrixXd inverse = N.llt().solve(Eigen::MatrixXd::Identity(p, p));
  const Eigen::MatrixXd expected = inverse * middle * inverse;
  const Eigen::VectorXd scale = expected.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd coloured = ColouredCovariance(regression, solution, weights, gamma);
  const Eigen::MatrixXd off = scale.asDiagonal() * (coloured - expected) * scale.asDiagonal();
  CHECK(off.cwiseAbs().maxCoeff() < 1e-8);  // of correlations; N has a condition of 1e6
}

TEST_CASE("Columns of a dead zone are 0 and keep their place in time") {
  Synthetic robot("planar2");
  robot.problem.rows[0].dead_zone = Eigen::Vector2d(0.4, 0.0);
  const std::vector<Dataset> datasets = {robot.Record("a", 300)};
  const LinearRegression regression(robot.problem, datasets);
  const Eigen::MatrixXd residuals = regression.Residuals(robot.x())[0];
  REQUIRE(residuals.col(0).hasNaN());
  regression.VisitColumns(128, [&](const RowColumns& columns) {
    for (Eigen::Index k = 0; k < columns.A.rows(); ++k) {
      CHECK(std::isnan(residuals(columns.first + k, columns.row)) == columns.A.row(k).isZero(0.0));
    }
  });
}

}  // namespace
}  // namespace idbench
