#include "estimators/batch/ols.h"

#include "estimators/solvers/seen_unknowns.h"
#include "estimators/solvers/stated_covariance.h"

namespace idbench {

FieldTable Visit(OlsOptions& o) {
  FieldTable table;
  AddParallelFilter(o.parallel_filter, table);
  return table;
}

EstimatorNeeds Ols::needs() const {
  return FilteredNeeds(options_.parallel_filter, {Capability::kAffine});
}

Estimate Ols::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  const auto fit = [](const LinearRegression& regression) {
    const Eigen::VectorXd weights = Eigen::VectorXd::Ones(regression.row_count());
    const LeastSquaresSolution solution = regression.Solve(weights);
    Estimate estimate;
    estimate.x = solution.x;
    StateCovariance(regression, solution, weights, estimate);
    return estimate;
  };
  return EstimateSeen(problem, datasets, options_.parallel_filter, fit);
}

}  // namespace idbench
