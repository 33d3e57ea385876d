#pragma once

#include "estimators/estimate.h"

namespace idbench {

/// Quantile of χ² with that many degrees of freedom where a normal number has the quantile
/// `normal`, to about 0.1 % from 10 on. Source: Wilson & Hilferty, PNAS 17(12), 1931.
double ChiSquareQuantile(double degrees_of_freedom, double normal);

/// The 97.5 % quantile, above which a sum of squares is not to be trusted.
double ChiSquareLimit(double degrees_of_freedom);

/// Keeps the minimum S of a sum of squares over declared σ among the diagnostics, with its degrees
/// of freedom and their ChiSquareLimit(); an S above that is noted as `health`.
/// @throws EstimationFailure (not_converged) for an S above it, to `reject` it.
void JudgeSumOfSquares(double S, double degrees_of_freedom, bool reject, Estimate& estimate);

}  // namespace idbench
