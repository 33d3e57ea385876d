#pragma once

#include "estimators/interface/configured_estimator.h"
#include "estimators/solvers/linear_regression.h"
#include "estimators/solvers/residual_statistics.h"

namespace idbench {

/// Noise variances σ_j² that weight the equations.
enum class EquationWeighting {
  kRows,      ///< One per equation row, from its residuals.
  kEqual,     ///< One for all rows, from all residuals.
  kDeclared,  ///< Those that the problem declares.
};
template <>
inline constexpr auto kEnumNames<EquationWeighting> =
    std::to_array<EnumName<EquationWeighting>>({{EquationWeighting::kRows, "rows"},
                                                {EquationWeighting::kEqual, "equal"},
                                                {EquationWeighting::kDeclared, "declared"}});

struct ConsistentWlsOptions {
  std::optional<double> lambda;  ///< See EntropicPrior::Weight().
  EquationWeighting weighting = EquationWeighting::kRows;
  std::optional<int> reweightings;  ///< Of kRows; absent: until the weights converge.
  std::optional<ParallelFilter> parallel_filter;

  bool operator==(const ConsistentWlsOptions&) const = default;
};
FieldTable Visit(ConsistentWlsOptions& options);

/// Weighted least squares over physical bodies, near the prior in the entropic divergence D
/// (see consistent_fit.h):
///   x̂ = argmin ½·Σ_j ‖y_j − W_j π(x)‖²/σ_j² + λ·Σ_i D(P_i ‖ P_i,prior).
/// The cost is convex and keeps every pseudo-inertia positive definite. Unknowns that move no body
/// have the problem's Gaussian prior, if it states one, and stay within its bounds: friction that
/// feeds power in is none. Bounds of unknowns that move bodies are ignored, as are those of
/// unknowns whose prior is correlated with that of others.
///
/// σ_j comes from the residuals of least squares without that constraint: of each row ("rows", as
/// in Wls: re-weighted until they converge, or `reweightings` times) or one for all rows ("equal");
/// or it is the declared one ("declared"). A unit of λ weighs as much as a unit of log-likelihood.
/// With "rows" and "declared" the method states Laplace's covariance, the inverse Hessian, or what
/// ReviewCovariance() makes of it.
/// Diagnostics: see StateSolution(). Source: Lee, Wensing & Park, IEEE T-RO 36(1), 2020.
class ConsistentWls : public ConfiguredEstimator<ConsistentWlsOptions> {
 public:
  EstimatorNeeds needs() const override;

 protected:
  void CheckProblem(const Problem& problem) override;
  /// @throws EstimationFailure (refused) as EntropicPrior does; (rank_deficient) if the data do not
  ///         determine an unknown that has no prior; (not_converged) if the weights do not.
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;
};

}  // namespace idbench
