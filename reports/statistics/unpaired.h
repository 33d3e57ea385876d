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

}  // namespace idbench
