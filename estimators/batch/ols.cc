#include "estimators/batch/ols.h"

#include "estimators/solvers/stated_covariance.h"

namespace idbench {

FieldTable Visit(OlsOptions& o) {
  FieldTable table;
  AddParallelFilter(o.parallel_filter, table);
  return table;
}

EstimatorNeeds Ols::needs() const { return ArmNeeds({Capability::kAffine}); }

Estimate Ols::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  const LinearRegression regression(problem, datasets, options_.parallel_filter);
  const Eigen::VectorXd weights = Eigen::VectorXd::Ones(regression.row_count());
  const LeastSquaresSolution solution = regression.Solve(weights);
  Estimate estimate;
  estimate.x = solution.x;
  StateCovariance(regression, solution, weights, estimate);
  return estimate;
}

}  // namespace idbench
