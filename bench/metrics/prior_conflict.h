#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>

#include "estimators/interface/estimator.h"

namespace idbench {

/// Probability, at most, that PriorConflict() names an unknown of a prior that is right.
inline constexpr double kConflictAlarmRate = 0.01;

/// What a method makes of the problem's prior covariance.
enum class PriorUse {
  kNone,     ///< It does not take it.
  kBayes,    ///< Unknowns are constant, and its P is the posterior of what it takes.
  kRoughly,  ///< P is no such posterior: process noise, bounds, an own state.
};
/// Returns what the method, with its options, makes of it; an estimate with a prior covariance of
/// its own is kRoughly in PriorConflict().
PriorUse UseOfPrior(const Estimator& estimator);

/// Compares an estimate with the prior that it took:
///
///   z_k = (x̂ − x₀)_k/√v_k,  v = diag(P₀ − P) + (f − 1)·min(P, P₀ − P),
///
/// which is standard normal if x ~ N(x₀, P₀), the model holds, and the noise has f times the
/// declared variance: x̂ − x₀ = K·(H·(x − x₀) + e), cov = P₀ − P for f = 1, and the noise has at
/// most P and at most P₀ − P of it. Where P is not the posterior of P₀ and white noise (kRoughly,
/// noise that processing coloured, a P that residuals enlarged) v is P₀ + P, and without a P it is
/// P₀: no less than the variance.
///
/// The unknowns whose two-sided p, adjusted by Holm's rule over all that are looked at, is at most
/// kConflictAlarmRate are named. Not looked at are those with σ₀ = 0 or infinite, and those of
/// which the data taught nothing, P ≈ P₀.
/// @param misfit  returns f ≥ 1, see FitMetrics::Misfit(); asked only if it decides.
/// @return "contradicted by the data …; joint2.fc (z = 12), joint1.fv (z = -6)", the greatest |z|
///         first; "" if there is none. Model errors move estimates too: where residuals show
///         some, it says so.
std::string PriorConflict(const Problem& problem, PriorUse use, const Estimate& estimate,
                          const std::function<double()>& misfit);

}  // namespace idbench
