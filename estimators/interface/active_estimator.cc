#include "estimators/interface/active_estimator.h"

namespace idbench {

Estimate ActiveEstimator::Run(const Problem& problem, Plant& plant) {
  return Guarded(problem, [&] {
    CheckProblem(problem);
    return Experiment(problem, plant);
  });
}

Estimate ActiveEstimator::Identify(const Problem&, std::span<const Dataset>) {
  Refuse("makes experiments of its own, and needs a plant");
}

}  // namespace idbench
