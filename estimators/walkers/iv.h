#pragma once

#include "estimators/interface/configured_estimator.h"
#include "estimators/walkers/wls_fcd.h"

namespace idbench {

struct IvOptions {
  FcdOptions fcd = {.half_power = {.hz = 12.5},
                    .n_cd = {.seconds = 0.05}};              ///< Of the measured motion.
  TorqueWeighting weighting = TorqueWeighting::kCovariance;  ///< Or kIdentity.
  double free_row_variance_ratio = 10.0;
  Duration knot = {};
  int max_iterations = 50;
  double tolerance = 1e-6;

  bool operator==(const IvOptions&) const = default;
};
FieldTable Visit(IvOptions& options);

/// Instrumental variables for a walker. The instruments are the regressor Zs along the unactuated
/// motion that β itself would cause, which does not depend on the errors of the measured motion ỹ;
/// they multiply the equations of WlsFcd, F·τ = F·Z(ỹ)·β:
///   β ← (Σ Zsᵀ·W·Z̃)⁻¹·Σ Zsᵀ·W·τ,  W = FᵀF.
/// The motion is that of ZeroDynamics from the initial angle and rate that fit the recording best.
/// So noise in Z does not bias β. Low-pass and differences would bias it by what they do to the
/// motion; therefore Z̃ = Z(ỹ) + Zs − Z(ys), where ys is the simulated motion after both.
///
/// Starts from WlsFcd's estimate or, if that has no motion, from the prior's mean. Iterates until β
/// moves by less than `tolerance`, relative to β, in the instruments' metric. States no covariance.
/// Source: Janot, Vandanjon & Gautier, IEEE TCST 22(1), 2014 (the instruments), for arms with a
/// motor at every joint.
class Iv : public ConfiguredEstimator<IvOptions> {
 public:
  EstimatorNeeds needs() const override;

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;
};

}  // namespace idbench
