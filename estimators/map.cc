#include "estimators/map.h"

#include <Eigen/Cholesky>

namespace idbench {
namespace {

/// L with L·Lᵀ = P, which may be singular: where P has a row of zeros, L has.
/// @throws EstimationFailure (refused) if P is not positive semi-definite.
Eigen::MatrixXd RootOf(const Eigen::MatrixXd& P) {
  // Units make variances differ by ten powers of ten: correlations do not.
  const Eigen::VectorXd deviation = P.diagonal().cwiseMax(0.0).cwiseSqrt();
  const Eigen::VectorXd unscale =
      deviation.unaryExpr([](double s) { return s > 0.0 ? 1.0 / s : 1.0; });
  const Eigen::LDLT<Eigen::MatrixXd> pivoted(unscale.asDiagonal() * P * unscale.asDiagonal());
  constexpr double kRoundOff = 1e-9;
  if ((pivoted.vectorD().array() < -kRoundOff).any()) {
    throw EstimationFailure(Outcome::kRefused,
                            "the prior's covariance is not positive semi-definite");
  }
  const Eigen::MatrixXd L = pivoted.matrixL();
  const Eigen::MatrixXd ordered = pivoted.transpositionsP().transpose() * L;
  return deviation.asDiagonal() * ordered *
         pivoted.vectorD().cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

double MeanSquare(const std::vector<Eigen::MatrixXd>& residuals, const Eigen::VectorXd& sigma) {
  double sum = 0.0, count = 0.0;
  for (const Eigen::MatrixXd& e : residuals) {
    sum += (e * sigma.cwiseInverse().asDiagonal()).squaredNorm();
    count += static_cast<double>(e.size());
  }
  return sum / count;
}

}  // namespace

EstimatorNeeds Map::needs() const {
  return {.channels = {kJointPosition, kJointVelocity, kJointAcceleration},
          .affine = true,
          .prior = true,
          .prior_covariance = true,
          .declared_sigma = true};
}

Estimate Map::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  CheckNeeds(problem);
  const Parametrisation::Prior& prior = *problem.parameters.prior;
  const Eigen::MatrixXd root = RootOf(*prior.covariance);
  const LinearRegression regression(problem, datasets);
  const Eigen::VectorXd& sigma = regression.declared_sigma();
  const LeastSquaresSolution solution =
      regression.SolveWithPrior(sigma.array().square().inverse(), prior.mean, root);
  Estimate estimate;
  estimate.x = solution.x;
  estimate.covariance = 0.5 * (solution.inverse + solution.inverse.transpose());
  StateSolver(solution, estimate);
  estimate.diagnostics["normalised_residual_squared"] =
      MeanSquare(regression.Residuals(estimate.x), sigma);
  return estimate;
}

}  // namespace idbench
