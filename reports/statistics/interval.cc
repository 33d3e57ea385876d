#include "reports/statistics/interval.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "reports/statistics/normal_law.h"

namespace idbench {

ConfidenceInterval WilsonInterval(double successes, double n, double level) {
  if (!(n > 0 && successes >= 0 && successes <= n && level > 0 && level < 1)) {
    throw std::invalid_argument(
        fmt::format("WilsonInterval: got {} of {} and level {}; accepted are 0 ≤ successes ≤ n, "
                    "n > 0 and a level in (0, 1)",
                    successes, n, level));
  }
  const double z = NormalQuantile((1 + level) / 2);
  const double p = successes / n;
  const double scale = 1 / (1 + z * z / n);
  const double centre = scale * (p + z * z / (2 * n));
  const double half = scale * z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return {successes == 0 ? 0.0 : centre - half, successes == n ? 1.0 : centre + half};
}

double EffectiveTrials(double p, double variance, double least, double most) {
  const double binomial = p * (1 - p);
  return binomial > 0 ? std::clamp(binomial / variance, least, most) : least;
}

}  // namespace idbench
