#pragma once

#include "estimators/estimate.h"

namespace idbench {

/// The 97.5 % quantile of χ² with so many degrees of freedom, more than 0: a sum of squares above
/// it is not to be trusted.
double ChiSquareLimit(double degrees_of_freedom);

/// Keeps the minimum S of a sum of squares over declared σ among the diagnostics, with its degrees
/// of freedom and their ChiSquareLimit(); an S above that is noted as `health`.
/// @throws EstimationFailure (not_converged) for an S above it, to `reject` it.
void JudgeSumOfSquares(double S, double degrees_of_freedom, bool reject, Estimate& estimate);

}  // namespace idbench
