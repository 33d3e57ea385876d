#include "estimators/batch/wls.h"

#include <algorithm>
#include <utility>

#include "estimators/solvers/reweighting.h"
#include "estimators/solvers/seen_unknowns.h"
#include "estimators/solvers/stated_covariance.h"

namespace idbench {
namespace {

/// Residuals below this part of the signal are round-off.
constexpr double kResidualRoundOff = 1e-12;
/// Below this part, round-off changes them by more than Reweighting::kTolerance of their square
/// from fit to fit.
constexpr double kSteadyResidual = 1e-9;

/// @param round_off  part of the signal below which a residual counts as that part.
Eigen::VectorXd Weights(const Eigen::VectorXd& variance, const Eigen::VectorXd& mean_square,
                        double ratio_cap, double round_off) {
  const Eigen::ArrayXd floored = variance.array().max(round_off * round_off * mean_square.array());
  const double largest = floored.maxCoeff();
  if (!(largest > 0.0)) return Eigen::VectorXd::Ones(variance.size());
  // Scaled so that the noisiest row weighs 1.
  return largest / floored.max(largest / ratio_cap);
}

}  // namespace

FieldTable Visit(WlsOptions& o) {
  FieldTable table;
  AddReweightings(o.reweightings, table);
  table.Add("weight_ratio_cap", o.weight_ratio_cap,
            {.doc = "Greatest ratio between the weights of two equation rows", .lower = 1.0});
  AddParallelFilter(o.parallel_filter, table);
  return table;
}

EstimatorNeeds Wls::needs() const {
  return FilteredNeeds(options_.parallel_filter, {Capability::kAffine});
}

Estimate Wls::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  return EstimateSeen(problem, datasets, options_.parallel_filter,
                      [this](const LinearRegression& regression) { return Fit(regression); });
}

Estimate Wls::Fit(const LinearRegression& regression) const {
  Eigen::VectorXd weights = Eigen::VectorXd::Ones(regression.row_count());
  LeastSquaresSolution solution = regression.Solve(weights);
  const Eigen::VectorXd freedom = DegreesOfFreedom(regression.counts(), regression.unknowns());
  Eigen::VectorXd squares = regression.ResidualSquares(solution.x);
  Reweighting rounds(options_.reweightings);
  while (rounds.Continue()) {
    const auto weights_above = [&](double round_off) {
      return Weights(squares.cwiseQuotient(freedom), regression.mean_square(),
                     options_.weight_ratio_cap, round_off);
    };
    weights = weights_above(kResidualRoundOff);
    rounds.Took(weights_above(kSteadyResidual));
    const LeastSquaresSolution last = std::exchange(solution, regression.Solve(weights));
    rounds.Moved(solution.x, last.x);
    squares = regression.MovedSquares(squares, last, solution);
  }
  Estimate estimate;
  estimate.x = solution.x;
  estimate.diagnostics["reweightings"] = rounds.rounds();
  estimate.diagnostics["weight_ratio"] = weights.maxCoeff() / weights.minCoeff();
  StateCovariance(regression, solution, weights, estimate);
  return estimate;
}

}  // namespace idbench
