#pragma once

#include "estimators/interface/configured_estimator.h"
#include "estimators/solvers/linear_regression.h"

namespace idbench {

struct RidgeOptions {
  double lambda = 1e-4;
  std::optional<ParallelFilter> parallel_filter;

  bool operator==(const RidgeOptions&) const = default;
};
FieldTable Visit(RidgeOptions& options);

/// Ridge towards the prior mean x₀, in columns scaled to unit norm:
///   x̂ = argmin ‖y − W π(x)‖² + λ·Σ_k ‖W A e_k‖²·(x_k − x₀_k)².
///
/// The prior's σ have no part in it; the note `weights` says so where they are null for some
/// unknowns. λ has no unit: a parameter with a column orthogonal to the others moves 1/(1 + λ) of
/// the way from the prior to its least-squares value. The method does not need full rank; what the
/// data do not determine stays at the prior, of which it knows nothing: single bodies that the
/// structure hides have no meaning (Estimate::knows_hidden). It states no covariance, because it
/// does not know its bias. Source: Hoerl & Kennard, Technometrics 12(1), 1970.
class Ridge : public ConfiguredEstimator<RidgeOptions> {
 public:
  EstimatorNeeds needs() const override;
  FrameDependence frame_dependence() const override { return {.by = "norms of columns"}; }

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;
};

}  // namespace idbench
