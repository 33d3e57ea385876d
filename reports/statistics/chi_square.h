#pragma once

#include <cstddef>

namespace idbench {

/// Sum of independent terms, each with a χ² distribution. Terms may be missing from it.
struct ChiSquareSum {
  double sum = 0;
  double degrees = 0;  ///< Degrees of freedom of the terms in the sum, together.
  std::size_t terms = 0;
  std::size_t missing = 0;

  void Add(double term, double degrees_of_term);
};

/// Returns the probability, at most, of a sum as small as this one:
///
///     p = min(1, C(N, n)·P(χ²_ν ≤ sum)),  n terms of N with ν degrees of freedom together.
///
/// If no term is missing, this is exact. Otherwise the binomial coefficient C(N, n) counts the
/// choices of n terms (Boole's inequality): p holds even if the largest terms are those that miss,
/// provided that these have as many degrees of freedom as the others have.
/// @throws std::invalid_argument without terms, or unless sum ≥ 0 and ν > 0, both finite.
double ProbabilityOfAtMost(const ChiSquareSum& sum);

}  // namespace idbench
