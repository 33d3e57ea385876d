#pragma once

#include "estimators/interface/configured_estimator.h"
#include "estimators/solvers/parallel_filter.h"

namespace idbench {

struct PriorOffsetsOptions {
  std::optional<ParallelFilter> parallel_filter;

  bool operator==(const PriorOffsetsOptions&) const = default;
};
FieldTable Visit(PriorOffsetsOptions& options);

/// The prior mean but for offsets, which nobody knows beforehand: with o the unknowns that are
/// offsets of force/torque sensors or of joints' torques,
///   x̂ = (x₀, ô),  ô = argmin_o Σ_j ‖y_j − W_j π(x₀, o)‖²,
/// over rows with a measured side; of a sensor the mean residual. The baseline for methods that
/// identify bodies from a sensor with an offset: what a CAD model predicts.
/// Source: Traversaro, Del Prete, Muradore, Natale & Nori, 2013, table II.
class PriorOffsets : public ConfiguredEstimator<PriorOffsetsOptions> {
 public:
  EstimatorNeeds needs() const override;

 protected:
  void CheckProblem(const Problem& problem) override;
  /// @throws EstimationFailure (refused) if no unknown is an offset, or no equation has a measured
  ///         side; as LinearRegression does.
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;
};

}  // namespace idbench
