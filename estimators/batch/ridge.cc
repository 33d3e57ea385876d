#include "estimators/batch/ridge.h"

#include "estimators/solvers/stated_covariance.h"

namespace idbench {

FieldTable Visit(RidgeOptions& o) {
  FieldTable table;
  table.Add("lambda", o.lambda,
            {.doc = "Strength of the pull towards the prior, relative to the "
                    "squared norm of each column",
             .lower = 0.0,
             .lower_open = true});
  AddParallelFilter(o.parallel_filter, table);
  return table;
}

EstimatorNeeds Ridge::needs() const {
  return FilteredNeeds(options_.parallel_filter, {Capability::kAffine, Capability::kPrior});
}

Estimate Ridge::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  if (!problem.parameters.prior) {
    Refuse("ridge pulls towards a prior, and there is none");
  }
  const LinearRegression regression(problem, datasets, options_.parallel_filter);
  const LeastSquaresSolution solution =
      regression.SolveRidge(options_.lambda, problem.parameters.prior->mean);
  Estimate estimate;
  estimate.x = solution.x;
  estimate.knows_hidden = false;
  StateSolver(solution, estimate);
  if (problem.parameters.prior->unknown.cols() > 0) {
    estimate.notes["weights"] =
        "the prior's mean pulls unknowns of which nothing is known (null in /problem/prior/std) as "
        "it pulls all others";
  }
  estimate.notes["covariance"] = "none stated: a ridge does not know its bias";
  return estimate;
}

}  // namespace idbench
