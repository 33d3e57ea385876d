#include "reports/statistics/holm.h"

#include <algorithm>
#include <numeric>

namespace idbench {

std::vector<double> HolmAdjusted(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p[i]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t j = 0; j < order.size(); ++j) {
    largest = std::max(largest, static_cast<double>(p.size() - j) * p[order[j]]);
    adjusted[order[j]] = std::min(1.0, largest);
  }
  return adjusted;
}

}  // namespace idbench
