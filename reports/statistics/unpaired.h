#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "reports/statistics/interval.h"

namespace idbench {

/// Change between two independent samples, and its uncertainty.
struct UnpairedChange {
  double mean = 0.0;                            ///< b̄ − ā.
  std::optional<ConfidenceInterval> ci95 = {};  ///< Of it.
  std::optional<double> p = {};                 ///< Two-sided, of no change.
};

/// Welch's test of two samples with variances of their own: t = (b̄ − ā)/s, s² = s_a²/n_a +
/// s_b²/n_b, with (s²)²/(s_a⁴/(n_a²(n_a − 1)) + s_b⁴/(n_b²(n_b − 1))) degrees of freedom. Without
/// interval and p if a sample has fewer than two values, or neither varies. Source: Welch,
/// Biometrika 34(1-2), 1947.
/// @param a, b  finite, at least one each.
UnpairedChange DescribeUnpaired(std::span<const double> a, std::span<const double> b);

/// Returns the least two-sided p that a permutation test of two samples can give: of the
/// C(a + b, a) ways to rearrange their values over the sides, those are as extreme as the most
/// extreme one that have it and, between sides of one size, its mirror image. With fewer values,
/// only the normal law that Welch's test supposes tells samples apart, and not the data.
/// @param a, b  sizes of the samples.
double LeastRearrangedP(std::size_t a, std::size_t b);

}  // namespace idbench
