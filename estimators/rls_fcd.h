#pragma once

#include "estimators/estimator.h"
#include "estimators/wls_fcd.h"

namespace idbench {

struct RlsFcdOptions {
  FcdOptions fcd;
  double regularisation_ratio = 1.0;

  bool operator==(const RlsFcdOptions&) const = default;
};
FieldTable Visit(RlsFcdOptions& options);

/// Recursive least squares of the torques of a walker on filtered central differences:
///   K = P·Zᵀ·(Z·P·Zᵀ + R)⁻¹,  β ← β + K·(τ − Z·β),  P ← (1 − K·Z)·P·(1 − K·Z)ᵀ + K·R·Kᵀ,
/// sample by sample, from β(0) of WlsFcd (W = 1) and P(0) = diag(b²), b the prior's mean: a rough
/// guess, as of a drawing. R = B·diag(σ_u²)·Bᵀ + r·mean(σ_u²)·1: without the second part, r the
/// regularisation ratio, it has no inverse. What it makes of P knows nothing of the errors of Z: no
/// covariance is stated. Source: Dolinský & Čelikovský 2018, (64)-(67), where (64) reads β(t_k−1)
/// and (65), (67) lack transposes.
class RlsFcd : public Estimator {
 public:
  FieldTable Fields() override { return Visit(options_); }
  EstimatorNeeds needs() const override;

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;

 private:
  RlsFcdOptions options_;
};

}  // namespace idbench
