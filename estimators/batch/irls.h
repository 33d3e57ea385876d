#pragma once

#include "estimators/interface/configured_estimator.h"
#include "estimators/solvers/linear_regression.h"

namespace idbench {

struct IrlsOptions {
  double huber = 1.345;
  int huber_rounds = 8;
  double bisquare = 4.685;
  int bisquare_rounds = 30;
  double weight_ratio_cap = 1e6;
  std::optional<ParallelFilter> parallel_filter;

  bool operator==(const IrlsOptions&) const = default;
};
FieldTable Visit(IrlsOptions& options);

/// Iteratively re-weighted least squares that outliers do not move:
///   x̂ = argmin Σ_ij w_ij·(y_ij − (W_j π(x))_i)²,  w_ij = φ(e_ij/s_j)/s_j²,
/// with the residuals e of the round before and, of each equation row, the scale
///   s_j = median_i |e_ij| / 0.6745 [N·m or N],
/// the standard deviation of Gaussian noise. Starts from ordinary least squares. φ is Huber's
///   φ(u) = min(1, k/|u|),  k = 1.345,
/// in the first eight rounds, whose cost has one minimum, and then Tukey's bisquare
///   φ(u) = (1 − u²/c²)² for |u| < c, else 0,  c = 4.685,
/// which leaves outliers out: with Gaussian noise its variance is that of weighted least squares
/// over 0.95. Ends once a round moves the weighted prediction W·A·x by 1e-6 of itself at most;
/// fails (not_converged) after 30 rounds with the bisquare. weight_ratio_cap limits the ratio of
/// 1/s_j² between rows. What the structure hides of x stays nearest to the prior mean, see
/// EstimateSeen().
///
/// The covariance is that of the M-estimator with ψ(u) = u·φ(u),
///   N⁻¹ (Σ_j h_j² v_j·Aᵀ W_jᵀ W_j A) N⁻¹,  N = Σ_j h_j·Aᵀ W_jᵀ W_j A,
///   h_j = mean ψ′/s_j²,  v_j = s_j²·mean ψ²/(mean ψ′)²,
/// for independent samples; ReviewCovariance() judges s_j·ψ/mean ψ′ in place of residuals.
/// Spikes are better removed before a low-pass than left to this method: a filter smears them.
/// Diagnostics: `reweightings`, `left_out_fraction` of the rows with φ = 0.
/// Source: Huber, Annals of Mathematical Statistics 35(1), 1964; Beaton & Tukey, Technometrics
/// 16(2), 1974; Holland & Welsch, Communications in Statistics A6(9), 1977 (constants, scale);
/// Huber, Robust Statistics, 1981, section 7.6 (covariance).
class Irls : public ConfiguredEstimator<IrlsOptions> {
 public:
  EstimatorNeeds needs() const override;
  bool unbiased() const override { return true; }

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;

 private:
  Estimate Fit(const LinearRegression& regression) const;
};

}  // namespace idbench
