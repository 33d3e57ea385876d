#include "reports/statistics/unpaired.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace idbench {
namespace {

/// Mean of a sample, and the variance of that mean.
struct Sample {
  explicit Sample(std::span<const double> values) : n(static_cast<double>(values.size())) {
    mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0.0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    if (n > 1.0) variance = squares / (n - 1.0) / n;
  }

  double n, mean = 0.0, variance = 0.0;
};

}  // namespace

UnpairedChange DescribeUnpaired(std::span<const double> a, std::span<const double> b) {
  const Sample of_a(a), of_b(b);
  UnpairedChange change{.mean = of_b.mean - of_a.mean};
  const double variance = of_a.variance + of_b.variance;
  if (a.size() < 2 || b.size() < 2 || !(variance > 0.0)) return change;
  const double freedom = variance * variance /
                         (of_a.variance * of_a.variance / (of_a.n - 1.0) +
                          of_b.variance * of_b.variance / (of_b.n - 1.0));
  const boost::math::students_t law(freedom);
  const double half = boost::math::quantile(law, 0.975) * std::sqrt(variance);
  change.ci95 = {change.mean - half, change.mean + half};
  change.p = 2.0 * boost::math::cdf(law, -std::abs(change.mean) / std::sqrt(variance));
  return change;
}

double LeastRearrangedP(std::size_t a, std::size_t b) {
  double ways = 1.0;  // C(a + b, a)
  for (std::size_t i = 1; i <= a; ++i) {
    ways *= static_cast<double>(b + i) / static_cast<double>(i);
  }
  return std::min(1.0, (a == b ? 2.0 : 1.0) / ways);
}

}  // namespace idbench
