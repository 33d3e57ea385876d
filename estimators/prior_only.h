#pragma once

#include "estimators/estimator.h"

namespace idbench {

/// The prior as it is: what every method is to beat. It looks at no data.
class PriorOnly : public Estimator {
 public:
  FieldTable Fields() override { return {}; }
  EstimatorNeeds needs() const override {
    return {.unknowns = Unknowns::kAny, .prior = true, .measurements = false};
  }

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;
};

}  // namespace idbench
