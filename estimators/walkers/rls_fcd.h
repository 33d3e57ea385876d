#pragma once

#include "estimators/interface/configured_estimator.h"
#include "estimators/walkers/wls_fcd.h"

namespace idbench {

struct RlsFcdOptions {
  FcdOptions fcd;
  double regularisation_ratio = 1.0;

  bool operator==(const RlsFcdOptions&) const = default;
};
FieldTable Visit(RlsFcdOptions& options);

/// Recursive least squares on a walker's torques and filtered central differences:
///   K = P·Zᵀ·(Z·P·Zᵀ + R)⁻¹,  β ← β + K·(τ − Z·β),  P ← (1 − K·Z)·P·(1 − K·Z)ᵀ + K·R·Kᵀ,
/// sample by sample, from the β of WlsFcd (W = 1) and P(0) = diag(b²), with b the prior's mean, a
/// rough guess as from a drawing. R = B·diag(σ_u²)·Bᵀ + r·mean(σ_u²)·1 with r the regularisation
/// ratio; without the second term R is singular. P ignores the errors of Z, so the method states no
/// covariance. Source: Dolinský & Čelikovský 2018, (64)-(67), where (64) reads β(t_k−1) and (65),
/// (67) lack transposes.
class RlsFcd : public ConfiguredEstimator<RlsFcdOptions> {
 public:
  EstimatorNeeds needs() const override;

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;
};

}  // namespace idbench
