#include "reports/statistics/paired_rates.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

namespace idbench {
namespace {

TEST_CASE("No failure at all excludes an increase once (1 − δ)^n is small") {
  // Without a failure of a the likeliest truth is q = 0, and P(no failure) = (1 − δ)^n.
  const PairedRateTails tails = PairedRateTest({.trials = 149}, 0.02);
  CHECK(tails.lower == doctest::Approx(std::pow(0.98, 149)));
  CHECK(tails.lower <= 0.05);
  CHECK(PairedRateTest({.trials = 148}, 0.02).lower > 0.05);
  CHECK(tails.upper == 1);
}

TEST_CASE("Failures of b alone at δ = 0: the exact unconditional p of three trials") {
  // x_b = 3 of 3 is the highest score: P = (rate)^3, the greatest at a rate of ½.
  CHECK(PairedRateTest({.only_b = 3, .trials = 3}, 0).upper == doctest::Approx(0.125));
  // Exchanged sides exchange the tails.
  CHECK(PairedRateTest({.only_a = 3, .trials = 3}, 0).lower == doctest::Approx(0.125));
}

/// P of `a` failures of a alone and `b` of b alone, by the trinomial law.
double Probability(std::size_t a, std::size_t b, double n, double rate, double increase) {
  const auto x = static_cast<double>(a);
  const auto y = static_cast<double>(b);
  const double rest = n - x - y;
  return std::exp(std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(y + 1) -
                  std::lgamma(rest + 1)) *
         std::pow(rate, x) * std::pow(rate + increase, y) * std::pow(1 - 2 * rate - increase, rest);
}

TEST_CASE("p is exact: whatever the unknown rate, P(p ≤ α) is at most α, and nearly α for some") {
  constexpr std::size_t kTrials = 12;
  constexpr double kIncrease = 0.1;
  constexpr double kLevel = 0.1;
  std::vector<PairedOutcomes> rejected;
  for (std::size_t a = 0; a <= kTrials; ++a) {
    for (std::size_t b = 0; a + b <= kTrials; ++b) {
      const PairedOutcomes outcomes{a, b, kTrials};
      if (PairedRateTest(outcomes, kIncrease).upper <= kLevel) rejected.push_back(outcomes);
    }
  }
  double greatest = 0;
  for (const double rate : {0.0, 0.05, 0.1125, 0.2, 0.3, 0.45}) {
    double sum = 0;
    for (const PairedOutcomes& outcomes : rejected) {
      sum += Probability(outcomes.only_a, outcomes.only_b, kTrials, rate, kIncrease);
    }
    CHECK(sum <= kLevel + 1e-9);
    greatest = std::max(greatest, sum);
  }
  CHECK(greatest > 0.4 * kLevel);  // a coarse law of few trials does not use all of its level
}

TEST_CASE("At the stated increase at most α are rejected, on either side") {
  std::mt19937_64 engine(5);
  constexpr int kSamples = 200;
  std::map<std::pair<std::size_t, std::size_t>, PairedRateTails> tested;
  int above = 0;
  int below = 0;
  for (int k = 0; k < kSamples; ++k) {
    PairedOutcomes outcomes{.trials = 50};
    for (std::size_t i = 0; i < outcomes.trials; ++i) {
      const double u = static_cast<double>(engine() >> 11) * 0x1p-53;
      if (u < 0.05) {
        ++outcomes.only_a;
      } else if (u < 0.05 + 0.12) {
        ++outcomes.only_b;
      }
    }
    const auto [known, is_new] = tested.try_emplace({outcomes.only_a, outcomes.only_b});
    PairedRateTails& tails = known->second;
    if (is_new) tails = PairedRateTest(outcomes, 0.07);
    above += tails.upper <= 0.05;
    below += tails.lower <= 0.05;
  }
  // At most 10 ± 3.1 expected, and not none: the tests use most of their level.
  CHECK(above <= 20);
  CHECK(below <= 20);
  CHECK(above >= 1);
  CHECK(below >= 1);
}

TEST_CASE("The normal law above 2,000 trials continues the exact p below") {
  const PairedRateTails exact = PairedRateTest({.only_a = 40, .only_b = 97, .trials = 2000}, 0.02);
  const PairedRateTails normal = PairedRateTest({.only_a = 40, .only_b = 97, .trials = 2001}, 0.02);
  CHECK(exact.upper == doctest::Approx(normal.upper).epsilon(0.15));
  CHECK(exact.lower == doctest::Approx(normal.lower).epsilon(0.05));
}

TEST_CASE("Outcomes that cannot be are refused") {
  CHECK_THROWS_WITH_AS(PairedRateTest({.only_a = 2, .only_b = 2, .trials = 3}, 0),
                       "PairedRateTest: got 2 and 2 failures of one side in 3 trials, and an "
                       "increase of 0; accepted are at most as many as trials, and an increase in "
                       "[0, 1]",
                       std::invalid_argument);
  CHECK_THROWS_AS(PairedRateTest({.trials = 3}, 1.1), std::invalid_argument);
  CHECK(PairedRateTest({}, 0.1).upper == 1);
  // No rate rises by more than 1.
  CHECK(PairedRateTest({.only_b = 3, .trials = 3}, 1).upper == 1);
  CHECK(PairedRateTest({.only_b = 2, .trials = 3}, 1).lower == 0);
}

}  // namespace
}  // namespace idbench
