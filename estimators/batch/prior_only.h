#pragma once

#include "estimators/interface/estimator.h"

namespace idbench {

/// Returns the prior mean without reading any data: the baseline that every method should beat.
class PriorOnly : public Estimator {
 public:
  FieldTable Fields() override { return {}; }
  EstimatorNeeds needs() const override {
    return {.problem = {Capability::kPrior}, .measurements = false};
  }
  /// The σ that it states is the prior's.
  FrameDependence frame_dependence() const override { return {.by_prior_sigma = true}; }

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;
};

}  // namespace idbench
