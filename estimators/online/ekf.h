#pragma once

#include "estimators/online/filter_on_unknowns.h"

namespace idbench {

struct EkfOptions {
  InitialCovariance p0 = InitialCovariance::kPrior;  ///< Or kIdentity.
  ProcessNoise process_noise;

  bool operator==(const EkfOptions&) const = default;
};
FieldTable Visit(EkfOptions& options);

/// Kalman filter on the unknowns x themselves, with the problem's prior and declared σ:
///   x₀ = prior mean, P₀ = prior covariance, R = diag(σ²).
/// Where the prior knows nothing of some directions of x, the InformationFilter of the same
/// samples; refused where π is not affine in x.
///
/// Linearises once per sample at the present estimate, unless π is affine in x. Ignores bounds.
/// With `p0` "identity" P₀ = 1 in SI units, as printed: 1 kg² for a mass, 1 kg²·m⁴ for a moment of
/// 4e-5 kg·m². Source: Gautier & Poignet, Control Engineering Practice 9(12), 2001; as the
/// unconstrained filter of Joukov, Bonnet, Venture & Kulić, IROS 2015.
class Ekf : public FilterOnUnknowns<EkfOptions> {
 public:
  EstimatorNeeds needs() const override;
  FrameDependence frame_dependence() const override;

 protected:
  void Start(const Problem& problem) override;
  Estimate Snapshot() const override;
};

}  // namespace idbench
