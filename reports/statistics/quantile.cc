#include "reports/statistics/quantile.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace idbench {

std::optional<double> SortedQuantile(std::span<const double> sorted, double p) {
  if (!(p >= 0 && p <= 1)) {
    throw std::invalid_argument(
        fmt::format("SortedQuantile: got p = {}, accepted are probabilities in [0, 1]", p));
  }
  if (sorted.empty()) return std::nullopt;
  const double h = static_cast<double>(sorted.size() - 1) * p;
  const auto k = static_cast<std::size_t>(h);
  const double fraction = h - static_cast<double>(k);
  double quantile = sorted[k];
  if (fraction > 0) quantile += fraction * (sorted[k + 1] - sorted[k]);
  return std::isfinite(quantile) ? std::optional(quantile) : std::nullopt;
}

}  // namespace idbench
