#include "estimators/batch/map.h"

#include <cmath>

#include "estimators/solvers/coloured_noise.h"
#include "estimators/solvers/covariance_root.h"

namespace idbench {
namespace {

double MeanSquare(const std::vector<Eigen::MatrixXd>& residuals, const Eigen::VectorXd& sigma) {
  double sum = 0.0, count = 0.0;
  for (const Eigen::MatrixXd& e : residuals) {
    double squares = (e * sigma.cwiseInverse().asDiagonal()).squaredNorm();
    count += static_cast<double>(e.size());
    if (std::isnan(squares)) {  // some rows are left out
      const Eigen::ArrayXXd scaled = e * sigma.cwiseInverse().asDiagonal();
      squares = scaled.isNaN().select(0.0, scaled).square().sum();
      count -= static_cast<double>(scaled.isNaN().count());
    }
    sum += squares;
  }
  return sum / count;
}

}  // namespace

EstimatorNeeds Map::needs() const {
  using enum Capability;
  return ArmNeeds({kAffine, kPrior, kPriorCovariance, kRowSigma});
}

Estimate Map::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  CheckNeeds(problem);
  const Parametrisation::Prior& prior = *problem.parameters.prior;
  const Eigen::MatrixXd root = CovarianceRoot(*prior.covariance);
  const LinearRegression regression(problem, datasets);
  const Eigen::VectorXd& sigma = regression.declared_sigma();
  const LeastSquaresSolution solution =
      regression.SolveWithPrior(sigma.array().square().inverse(), prior.mean, root);
  Estimate estimate;
  estimate.x = solution.x;
  const auto& autocovariance = regression.declared_autocovariance();
  if (autocovariance.empty()) {
    estimate.covariance = 0.5 * (solution.inverse + solution.inverse.transpose());
  } else {
    estimate.covariance =
        ColouredCovariance(regression, solution, sigma.array().square().inverse(), autocovariance);
  }
  StateSolver(solution, estimate);
  estimate.diagnostics["normalised_residual_squared"] =
      MeanSquare(regression.Residuals(estimate.x), regression.sample_sigma());
  return estimate;
}

}  // namespace idbench
