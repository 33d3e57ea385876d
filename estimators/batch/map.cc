#include "estimators/batch/map.h"

#include <optional>
#include <utility>

#include "estimators/solvers/prior_coordinates.h"
#include "estimators/solvers/seen_unknowns.h"
#include "estimators/solvers/stated_covariance.h"

namespace idbench {
namespace {

/// Sum of e²/σ².
double WeightedSquares(const std::vector<Eigen::MatrixXd>& residuals,
                       const Eigen::VectorXd& sigma) {
  double sum = 0.0;
  for (const Eigen::MatrixXd& e : residuals) {
    sum += (e * sigma.cwiseInverse().asDiagonal()).squaredNorm();
  }
  return sum;
}

/// The most probable x.
Estimate MostProbable(const Problem& problem, std::span<const Dataset> datasets) {
  const PriorCoordinates prior = CoordinatesOf(*problem.parameters.prior);
  const LinearRegression regression(problem, datasets);
  const Eigen::VectorXd& sigma = regression.declared_sigma();
  const LeastSquaresSolution solution =
      regression.SolveWithPrior(sigma.array().square().inverse(), prior);
  Estimate estimate;
  estimate.x = solution.x;
  const Eigen::VectorXd weights = sigma.array().square().inverse();
  estimate.covariance =
      UnderDeclaredShape(regression, 0.5 * (solution.inverse + solution.inverse.transpose()),
                         weights, regression.sample_sigma().cwiseAbs2());
  StateSolver(solution, estimate);
  std::vector<Eigen::MatrixXd> residuals = Filled(regression.Residuals(estimate.x));
  estimate.diagnostics["normalised_residual_squared"] =
      WeightedSquares(residuals, regression.sample_sigma()) / regression.counts().sum();
  const ResidualStatistics statistics = JudgeResiduals(
      residuals, regression.counts(), regression.unknowns(), regression.declared_autocovariance());
  ReviewResiduals(regression, statistics,
                  {estimate.x, solution.inverse, weights, std::move(residuals)}, estimate);
  return estimate;
}

}  // namespace

EstimatorNeeds Map::needs() const {
  using enum Capability;
  return ArmNeeds({kAffine, kPrior, kPriorCovariance, kRowSigma});
}

Estimate Map::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  CheckNeeds(problem);
  const std::optional<SeenUnknowns> seen = SeenBesidePrior(problem);
  if (seen) return CarriedOver(*seen, MostProbable(seen->problem, datasets));
  return MostProbable(problem, datasets);
}

}  // namespace idbench
