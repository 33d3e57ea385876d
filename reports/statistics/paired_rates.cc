#include "reports/statistics/paired_rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace idbench {
namespace {

constexpr std::size_t kMostExact = 2000;
constexpr int kRates = 200;
/// Probability of counts of side a that are left out of a sum.
constexpr double kNegligible = 1e-10;

/// The score of `b` failures of b alone and `a` of a alone. It rises with b and falls with a.
double Score(double a, double b, double n, double increase) {
  const double linear = -b - a + (2 * n - b + a) * increase;
  const double constant = -a * increase * (1 - increase);
  const double rate =
      (std::sqrt(std::max(0.0, linear * linear - 8 * n * constant)) - linear) / (4 * n);
  const double variance = n * (2 * rate + increase * (1 - increase));
  const double difference = b - a - n * increase;
  return variance > 0 ? difference / std::sqrt(variance) : 0;
}

/// For each count of side a the least count of b that reaches a score, or the least that exceeds
/// it; one more than the trials where there is none.
std::vector<std::size_t> LeastCounts(std::size_t trials, double increase, double score,
                                     bool exceed) {
  const auto n = static_cast<double>(trials);
  // Scores of the same counts differ by rounding alone.
  const double limit = exceed ? score + 1e-9 : score - 1e-9;
  std::vector<std::size_t> least(trials + 1);
  std::size_t b = 0;
  for (std::size_t a = 0; a <= trials; ++a) {
    while (b + a <= trials &&
           Score(static_cast<double>(a), static_cast<double>(b), n, increase) < limit) {
      ++b;
    }
    least[a] = b + a <= trials ? b : trials + 1;
  }
  return least;
}

/// P(x_b ≥ least[x_a]) where a alone fails with probability `rate`, b alone with `rate` + increase.
double ProbabilityFrom(const std::vector<std::size_t>& least, double rate, double increase) {
  using Binomial = boost::math::binomial_distribution<>;
  const std::size_t trials = least.size() - 1;
  const Binomial of_a(static_cast<double>(trials), rate);
  double sum = 0;
  for (std::size_t a = 0; a <= trials; ++a) {
    if (least[a] > trials) break;
    const double weight = boost::math::pdf(of_a, static_cast<double>(a));
    if (weight < kNegligible) {
      if (static_cast<double>(a) > rate * static_cast<double>(trials)) break;
      continue;
    }
    const double rate_of_b = rate < 1 ? std::min(1.0, (rate + increase) / (1 - rate)) : 0;
    const Binomial of_b(static_cast<double>(trials - a), rate_of_b);
    const double reaching =
        least[a] == 0
            ? 1
            : boost::math::cdf(boost::math::complement(of_b, static_cast<double>(least[a]) - 1));
    sum += weight * reaching;
  }
  return std::min(1.0, sum);
}

void CheckOutcomes(const PairedOutcomes& outcomes, double increase) {
  if (outcomes.only_a + outcomes.only_b <= outcomes.trials && increase >= 0 && increase <= 1)
    return;
  throw std::invalid_argument(fmt::format(
      "PairedRateTest: got {} and {} failures of one side in {} trials, and an increase of {}; "
      "accepted are at most as many as trials, and an increase in [0, 1]",
      outcomes.only_a, outcomes.only_b, outcomes.trials, increase));
}

}  // namespace

PairedRateTails PairedRateTest(const PairedOutcomes& outcomes, double increase) {
  CheckOutcomes(outcomes, increase);
  if (outcomes.trials == 0) return {};
  if (increase == 1) return {1, outcomes.only_b == outcomes.trials ? 1.0 : 0.0};
  const double score =
      Score(static_cast<double>(outcomes.only_a), static_cast<double>(outcomes.only_b),
            static_cast<double>(outcomes.trials), increase);
  if (outcomes.trials > kMostExact) {
    const boost::math::normal_distribution<> normal;
    return {boost::math::cdf(boost::math::complement(normal, score)),
            boost::math::cdf(normal, score)};
  }
  const auto reaching = LeastCounts(outcomes.trials, increase, score, false);
  const auto exceeding = LeastCounts(outcomes.trials, increase, score, true);
  PairedRateTails tails{0, 0};
  for (int k = 0; k <= kRates; ++k) {
    const double rate = (1 - increase) / 2 * k / kRates;
    tails.upper = std::max(tails.upper, ProbabilityFrom(reaching, rate, increase));
    tails.lower = std::max(tails.lower, 1 - ProbabilityFrom(exceeding, rate, increase));
  }
  return tails;
}

}  // namespace idbench
