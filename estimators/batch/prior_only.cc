#include "estimators/batch/prior_only.h"

namespace idbench {

Estimate PriorOnly::Identify(const Problem& problem, std::span<const Dataset>) {
  if (!problem.parameters.prior) {
    Refuse("the problem states no prior");
  }
  Estimate estimate;
  estimate.x = problem.parameters.prior->mean;
  estimate.covariance = problem.parameters.prior->covariance;
  return estimate;
}

}  // namespace idbench
