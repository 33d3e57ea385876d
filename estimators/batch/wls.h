#pragma once

#include <optional>

#include "estimators/interface/configured_estimator.h"
#include "estimators/solvers/linear_regression.h"

namespace idbench {

struct WlsOptions {
  std::optional<int> reweightings;  ///< Absent: until the weights converge.
  double weight_ratio_cap = 1e6;
  std::optional<ParallelFilter> parallel_filter;

  bool operator==(const WlsOptions&) const = default;
};
FieldTable Visit(WlsOptions& options);

/// Weighted least squares with one weight per equation row, from the residuals:
///   σ_j² = ‖e_j‖² / (samples − p/rows),  w_j = 1/σ_j²,  x̂ = argmin Σ_j w_j ‖y_j − W_j π(x)‖².
/// Starts from ordinary least squares and re-weights until the weights converge, see Reweighting,
/// or `reweightings` times. Weights that follow their own residuals can collapse onto one row:
/// weight_ratio_cap limits their ratio. Fails (not_converged) where they do not converge. What the
/// structure hides of x stays nearest to the prior mean, see EstimateSeen().
/// Source: Gautier & Poignet, Control Engineering Practice 9(12), 2001 (one reweighting).
class Wls : public ConfiguredEstimator<WlsOptions> {
 public:
  EstimatorNeeds needs() const override;
  bool unbiased() const override { return true; }

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;

 private:
  Estimate Fit(const LinearRegression& regression) const;
};

}  // namespace idbench
