#include "estimators/batch/wls.h"

#include <algorithm>
#include <utility>

namespace idbench {
namespace {

/// Residuals below this part of the signal are round-off.
constexpr double kResidualRoundOff = 1e-12;

Eigen::VectorXd Weights(const Eigen::VectorXd& variance, const Eigen::VectorXd& mean_square,
                        double ratio_cap) {
  const Eigen::ArrayXd floored =
      variance.array().max(kResidualRoundOff * kResidualRoundOff * mean_square.array());
  const double largest = floored.maxCoeff();
  if (!(largest > 0.0)) return Eigen::VectorXd::Ones(variance.size());
  // Scaled so that the noisiest row weighs 1.
  return largest / floored.max(largest / ratio_cap);
}

}  // namespace

FieldTable Visit(WlsOptions& o) {
  FieldTable table;
  table
      .Add("reweightings", o.reweightings,
           {.doc = "Number of times that the weights are computed from the residuals",
            .lower = 1,
            .upper = 3})
      .Add("weight_ratio_cap", o.weight_ratio_cap,
           {.doc = "Greatest ratio between the weights of two equation rows", .lower = 1.0});
  AddParallelFilter(o.parallel_filter, table);
  return table;
}

EstimatorNeeds Wls::needs() const { return ArmNeeds({Capability::kAffine}); }

Estimate Wls::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  const LinearRegression regression(problem, datasets, options_.parallel_filter);
  Eigen::VectorXd weights = Eigen::VectorXd::Ones(regression.row_count());
  LeastSquaresSolution solution = regression.Solve(weights);
  const Eigen::VectorXd freedom = DegreesOfFreedom(regression.counts(), regression.unknowns());
  Eigen::VectorXd squares = regression.ResidualSquares(solution.x);
  for (int k = 0; k < options_.reweightings; ++k) {
    weights = Weights(squares.cwiseQuotient(freedom), regression.mean_square(),
                      options_.weight_ratio_cap);
    const LeastSquaresSolution last = std::exchange(solution, regression.Solve(weights));
    squares = regression.MovedSquares(squares, last, solution);
  }
  const ResidualStatistics residuals =
      JudgeResiduals(regression.Residuals(solution.x), regression.unknowns());
  Estimate estimate;
  estimate.x = solution.x;
  estimate.diagnostics["reweightings"] = options_.reweightings;
  estimate.diagnostics["weight_ratio"] = weights.maxCoeff() / weights.minCoeff();
  StateCovariance(regression, solution, weights, residuals, estimate);
  return estimate;
}

}  // namespace idbench
