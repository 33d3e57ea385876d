#pragma once

#include "estimators/estimator.h"
#include "estimators/fcd.h"

namespace idbench {

struct HekfOptions {
  FcdOptions fcd = {.half_power = 0.25, .n_cd = 5};  ///< Of the start.
  int sub_steps = 2;
  double relative_angle_std_rad = 1e-4;
  double initial_rate_std_rad_s = 0.5;
  double relative_std = 0.2;

  bool operator==(const HekfOptions&) const = default;
};
FieldTable Visit(HekfOptions& options);

/// Hybrid extended Kalman filter of a walker's state and parameters, z = (q, q̇, β):
///   q̈ = D⁻¹·(B·u − Z(q, q̇, 0)·β),  β̇ = 0,  Ṗ = A·P + P·Aᵀ + Q,
/// integrated together by RK4 from sample to sample, u interpolated linearly; then
///   K = P·Hᵀ·(H·P·Hᵀ + R)⁻¹,  z ← z + K·(y − q),  P ← (1 − K·H)·P·(1 − K·H)ᵀ + K·R·Kᵀ.
/// Q is what the errors of u do to q̈, (D⁻¹B)·diag(σ_u²)·(D⁻¹B)ᵀ·Ts, and R = diag(σ², s², …), σ of
/// the absolute angle and s a small number for the exact relative ones.
///
/// Begins with WlsFcd's β and the filtered, differenced first sample; P(0) = diag(R, that of the
/// rates, (r·b)²), r the relative_std here and b the prior's mean, a rough guess. Its P is that of
/// a linear system, which this is far from: no covariance is stated. Source: Dolinský & Čelikovský
/// 2018, (68)-(74), where (71) lacks a transpose; Simon, Optimal State Estimation, 2006, 13.2.3.
class Hekf : public Estimator {
 public:
  FieldTable Fields() override { return Visit(options_); }
  EstimatorNeeds needs() const override;

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;

 private:
  HekfOptions options_;
};

}  // namespace idbench
