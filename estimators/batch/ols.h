#pragma once

#include "estimators/interface/configured_estimator.h"
#include "estimators/solvers/linear_regression.h"

namespace idbench {

struct OlsOptions {
  std::optional<ParallelFilter> parallel_filter;

  bool operator==(const OlsOptions&) const = default;
};
FieldTable Visit(OlsOptions& options);

/// Ordinary least squares: x̂ = argmin ‖y − W π(x)‖², with equal weight for every equation row.
///
/// What the structure hides of x stays nearest to the prior mean, see EstimateSeen(). The
/// covariance uses each row's own residual variance (a sandwich), so it holds although joints
/// differ in noise. Where residuals are correlated in time, see ReviewCovariance(). Source:
/// Atkeson, An & Hollerbach, IJRR 5(3), 1986.
class Ols : public ConfiguredEstimator<OlsOptions> {
 public:
  EstimatorNeeds needs() const override;
  bool unbiased() const override { return true; }

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;
};

}  // namespace idbench
