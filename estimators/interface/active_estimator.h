#pragma once

#include <span>

#include "estimators/interface/estimator.h"
#include "robots/plant/metered_plant.h"

namespace idbench {

/// Method that makes experiments of its own on a plant, in place of reading recorded ones.
class ActiveEstimator : public Estimator {
 public:
  using Estimator::Run;
  /// Estimates x by experiments, and says what they took. Does not throw for a failure of the plant
  /// or the method: it returns an Estimate with outcome and reason.
  /// @throws std::bad_alloc  if memory runs out: that is the machine's failure, not the method's.
  Estimate Run(const Problem& problem, MeteredPlant& plant);
  /// Returns the time for which its robot moves at least in experiments without a fall [s].
  virtual double least_use_s() const { return 0.0; }

 protected:
  /// Does the work of Run(), which catches what it throws and fills in π.
  virtual Estimate Experiment(const Problem& problem, Plant& plant) = 0;
  /// Refuses: recorded experiments are of no use to it.
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) final;
};

}  // namespace idbench
