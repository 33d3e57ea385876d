#pragma once

#include "estimators/active/swing.h"
#include "estimators/interface/active_estimator.h"
#include "estimators/interface/configured_estimator.h"

namespace idbench {

/// Method that experiments on an upright chain, with options of its own: it needs a planar
/// Lagrangian and a prior, and refuses a robot that cannot stand upright, or has more joints than
/// the method takes.
template <HasFields Options>
class UprightMethod : public ConfiguredEstimator<Options, ActiveEstimator> {
 public:
  EstimatorNeeds needs() const final {
    return {.channels = {},
            .problem = {Capability::kLagrangian, Capability::kPrior},
            .measurements = false};
  }
  virtual int most_joints() const { return PlanarLagrangian::kMaxDofs; }

 protected:
  void CheckProblem(const Problem& problem) final {
    this->CheckNeeds(problem);
    Upright(problem);
    CheckJoints(problem, most_joints());
  }
};

}  // namespace idbench
