#include "estimators/interface/active_estimator.h"

namespace idbench {

Estimate ActiveEstimator::Run(const Problem& problem, MeteredPlant& plant) {
  Estimate estimate = Guarded(problem, [&] {
    CheckProblem(problem);
    return Experiment(problem, plant);
  });
  estimate.plant_use = plant.use();
  return estimate;
}

Estimate ActiveEstimator::Identify(const Problem&, std::span<const Dataset>) {
  Refuse("makes experiments of its own, and needs a plant");
}

}  // namespace idbench
