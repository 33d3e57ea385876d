#pragma once

#include "estimators/interface/configured_estimator.h"
#include "estimators/walkers/fcd.h"

namespace idbench {

struct HekfOptions {
  FcdOptions fcd = {.half_power = {.hz = 12.5}, .n_cd = {.seconds = 0.05}};  ///< For the start.
  LongestStep step = {.seconds = 0.005};
  double relative_angle_std_rad = 1e-4;
  double initial_rate_std_rad_s = 0.5;
  double relative_std = 0.2;

  bool operator==(const HekfOptions&) const = default;
};
FieldTable Visit(HekfOptions& options);

/// Hybrid extended Kalman filter of a walker's state and parameters, z = (q, q̇, β):
///   q̈ = D⁻¹·(B·u − Z(q, q̇, 0)·β),  β̇ = 0,  Ṗ = A·P + P·Aᵀ + Q.
/// RK4 integrates both from sample to sample, with u interpolated linearly; then
///   K = P·Hᵀ·(H·P·Hᵀ + R)⁻¹,  z ← z + K·(y − q),  P ← (1 − K·H)·P·(1 − K·H)ᵀ + K·R·Kᵀ.
/// Q is the effect of the errors of u on q̈, (D⁻¹B)·diag(σ_u²)·(D⁻¹B)ᵀ·Ts, and R = diag(σ², s², …)
/// with σ of the absolute angle and a small s for the exact relative angles.
///
/// Starts from WlsFcd's β and the filtered, differenced first sample, with P(0) = diag(R, variance
/// of the rates, (r·b)²), where r is relative_std and b the prior's mean, a rough guess. P is
/// valid for a linear system, which this is not, so the method states no covariance. Source:
/// Dolinský & Čelikovský 2018, (68)-(74), where (71) lacks a transpose; Simon, Optimal State
/// Estimation, 2006, 13.2.3.
class Hekf : public ConfiguredEstimator<HekfOptions> {
 public:
  EstimatorNeeds needs() const override;

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;
};

}  // namespace idbench
