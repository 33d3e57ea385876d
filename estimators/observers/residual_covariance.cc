#include "estimators/observers/residual_covariance.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace idbench {
namespace {

/// Part of the signal that is round-off at most.
constexpr double kRoundOffOfSignal = 1e-9;
/// Least eigenvalue of a matrix of correlations, which round-off takes for more than 0.
constexpr double kLeastEigenvalue = 1e-10;

/// Σ z_i z_j and the number of samples that have both.
struct Moment {
  double sum = 0.0;
  Eigen::Index count = 0;

  Moment(std::span<const Eigen::MatrixXd> samples, Eigen::Index i, Eigen::Index j) {
    for (const Eigen::MatrixXd& z : samples) {
      for (Eigen::Index k = 0; k < z.rows(); ++k) {
        const double product = z(k, i) * z(k, j);
        if (std::isnan(product)) continue;
        sum += product;
        ++count;
      }
    }
  }
  double Mean() const { return count > 0 ? sum / static_cast<double>(count) : 0.0; }
};

double VarianceOf(std::span<const Eigen::MatrixXd> samples, Eigen::Index row, double floor) {
  const Moment moment(samples, row, row);
  if (moment.count == 0) {
    Refuse(fmt::format("nothing is left of row {} of the equations in the identification data",
                       row + 1));
  }
  const double variance = std::max(moment.Mean(), floor);
  if (!(variance > 0.0)) {
    Refuse(
        fmt::format("the residuals of row {} of the equations are all 0 in the identification "
                    "data: they tell no variance",
                    row + 1));
  }
  return variance;
}

}  // namespace

Eigen::MatrixXd SecondMoments(std::span<const Eigen::MatrixXd> samples,
                              const Eigen::VectorXd& floor, CovarianceShape shape) {
  const Eigen::Index rows = samples.front().cols();
  Eigen::MatrixXd S = Eigen::MatrixXd::Zero(rows, rows);
  for (Eigen::Index i = 0; i < rows; ++i) S(i, i) = VarianceOf(samples, i, floor[i]);
  if (shape == CovarianceShape::kDiagonal) return S;
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (Eigen::Index j = 0; j < i; ++j) {
      S(i, j) = Moment(samples, i, j).Mean();
      S(j, i) = S(i, j);
    }
  }
  S.diagonal() += floor;
  const Eigen::VectorXd scale = S.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd correlations = scale.asDiagonal() * S * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(correlations, Eigen::EigenvaluesOnly);
  if (!(solver.eigenvalues()[0] > kLeastEigenvalue)) {
    Refuse(
        "the covariance of the residuals in the identification data is not positive definite; "
        "set \"covariance\" to \"diagonal\"");
  }
  return S;
}

Eigen::VectorXd RoundOffVariance(std::span<const ModelResidual> residuals) {
  double largest = 0.0;
  for (const ModelResidual& residual : residuals) {
    largest = std::max(largest, residual.predicted_square.maxCoeff());
  }
  return Eigen::VectorXd::Constant(residuals.front().r.cols(),
                                   kRoundOffOfSignal * kRoundOffOfSignal * largest);
}

std::optional<Eigen::VectorXd> DeclaredVariance(const Problem& problem,
                                                std::span<const EquationRows> equations) {
  Eigen::Index rows = 0;
  for (const EquationRows& each : equations) rows += each.count(problem.model);
  Eigen::VectorXd variance(rows);
  rows = 0;
  for (const EquationRows& each : equations) {
    const Eigen::VectorXd& sigma = each.of_sample();
    if (sigma.size() != each.count(problem.model) || !(sigma.array() > 0.0).all()) return {};
    variance.segment(rows, sigma.size()) = sigma.array().square();
    rows += sigma.size();
  }
  return variance;
}

Eigen::MatrixXd SampleCovariance(const Problem& problem, std::span<const EquationRows> equations,
                                 std::span<const ModelResidual> training, CovarianceShape shape) {
  if (training.empty()) {
    const std::optional<Eigen::VectorXd> declared = DeclaredVariance(problem, equations);
    if (declared) return declared->asDiagonal();
    Refuse(
        "needs identification data, which tell the noise of residuals, or a positive declared σ of "
        "every row");
  }
  std::vector<Eigen::MatrixXd> samples;
  for (const ModelResidual& residual : training) samples.push_back(residual.r);
  return SecondMoments(samples, RoundOffVariance(training), shape);
}

}  // namespace idbench
