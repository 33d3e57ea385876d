#pragma once

#include <optional>
#include <span>

namespace idbench {

/// Returns a quantile of a sorted sample, by linear interpolation between its order statistics.
///
/// With h = (N − 1) p and k = ⌊h⌋:  Q(p) = x_k + (h − k)(x_{k+1} − x_k), x_0 the least.
/// The default of NumPy and R; type 7 of Hyndman & Fan, The American Statistician 50(4), 1996.
///
/// @param sorted  ascending; failures are +∞ at its end.
/// @param p       in [0, 1].
/// @return nothing for an empty sample, or if the quantile depends on a failure.
/// @throws std::invalid_argument if p is outside [0, 1].
std::optional<double> SortedQuantile(std::span<const double> sorted, double p);

}  // namespace idbench
