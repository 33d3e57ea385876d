#pragma once

#include "estimators/solvers/linear_regression.h"

namespace idbench {

/// Maximum a posteriori for the problem's Gaussian prior and declared σ:
///   x̂ = argmin Σ_j ‖(y_j − W_j π(x))/σ_j‖² + (x − x₀)ᵀ P₀⁻¹ (x − x₀).
///
/// Where processing has coloured the declared noise, the covariance is ColouredCovariance(). Else
/// it states the posterior covariance P = (P₀⁻¹ + Σ_j Aᵀ W_jᵀ W_j A/σ_j²)⁻¹, the van Trees bound
/// for every estimator with that prior. P₀ may be singular: a direction without variance is fixed.
/// Ignores bounds. Diagnostic `normalised_residual_squared`: mean of (e_j/σ_j)², near 1 if model
/// and σ are right. Source: van Trees, Detection, Estimation, and Modulation Theory, part I,
/// 1968, section 2.4.
class Map : public Estimator {
 public:
  FieldTable Fields() override { return {}; }
  EstimatorNeeds needs() const override;
  FrameDependence frame_dependence() const override { return {.by_prior_sigma = true}; }

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;
};

}  // namespace idbench
