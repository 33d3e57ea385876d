#include "estimators/batch/prior_only.h"

namespace idbench {

Estimate PriorOnly::Identify(const Problem& problem, std::span<const Dataset>) {
  if (!problem.parameters.prior) {
    Refuse("the problem states no prior");
  }
  Estimate estimate;
  estimate.x = problem.parameters.prior->mean;
  if (problem.parameters.prior->unknown.size() == 0) {
    estimate.covariance = problem.parameters.prior->covariance;
  } else {
    estimate.notes["covariance"] = "none stated: the prior knows nothing (null) of some unknowns";
  }
  return estimate;
}

}  // namespace idbench
