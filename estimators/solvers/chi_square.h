#pragma once

#include "estimators/interface/estimate.h"

namespace idbench {

/// Returns the 97.5 % quantile of χ² for `degrees_of_freedom` > 0. A larger sum of squares is
/// not trustworthy.
double ChiSquareLimit(double degrees_of_freedom);

/// Records the minimum S of a sum of squares over declared σ as diagnostic `chi_square`, with
/// `degrees_of_freedom` and `chi_square_limit` (see ChiSquareLimit()). If S exceeds the limit,
/// writes the note `health`.
/// @throws EstimationFailure (not_converged) if S exceeds the limit and `reject` is true.
void JudgeSumOfSquares(double S, double degrees_of_freedom, bool reject, Estimate& estimate);

}  // namespace idbench
