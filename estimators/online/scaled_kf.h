#pragma once

#include "estimators/online/filter_on_unknowns.h"
#include "estimators/solvers/entropic_prior.h"

namespace idbench {

struct ScaledKfOptions {
  std::optional<double> lambda;  ///< See EntropicPrior::Weight().
  ProcessNoise process_noise;

  bool operator==(const ScaledKfOptions&) const = default;
};
FieldTable Visit(ScaledKfOptions& options);

/// Linear Kalman filter on the unknowns whose initial covariance scales with each body's prior in
/// every direction: P₀ = (1/λ)·(∂²/∂x² Σ_i D(P_i ‖ P_i,prior))⁻¹ at the prior, the Gaussian that
/// equals λ times the entropic divergence to second order. P₀ depends neither on frames nor on
/// units, and needs no σ of inertial parameters; unknowns that move no body start with the
/// covariance that the problem states, or without any (see InformationFilter) where nothing is
/// known of them.
///
/// Nothing keeps the bodies physical or the unknowns inside their bounds. Runs in the coordinates
/// v of EntropicPrior, in which P₀ is diagonal. Source of the metric: Lee, Wensing & Park, IEEE
/// T-RO 36(1), 2020.
class ScaledKf : public FilterOnUnknowns<ScaledKfOptions> {
 public:
  EstimatorNeeds needs() const override;

 protected:
  /// @throws EstimationFailure (refused) as EntropicPrior and its RequireAllSaid() do.
  void Start(const Problem& problem) override;
  Estimate Snapshot() const override;

 private:
  std::optional<EntropicPrior> prior_;
  std::optional<PriorSpread> own_prior_;
};

}  // namespace idbench
