#include "reports/statistics/bootstrap.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "reports/statistics/quantile.h"

namespace idbench {
namespace {

/// Standard normal draws by Box-Muller: the same bits with every standard library.
class NormalStream {
 public:
  explicit NormalStream(std::uint64_t seed) : engine_(seed) {}

  double Next() {
    const double u = (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53;
    const double v = static_cast<double>(engine_() >> 11) * 0x1p-53;
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
  }

 private:
  std::mt19937_64 engine_;
};

bool Covers(const ConfidenceInterval& interval, double value) {
  return interval.lower <= value && value <= interval.upper;
}

TEST_CASE("Indices are uniform and below their bound") {
  IndexStream stream(1);
  std::vector<int> counts(7);
  constexpr int kDraws = 70'000;
  for (int i = 0; i < kDraws; ++i) ++counts.at(stream.Below(7));
  // χ² with 6 degrees of freedom exceeds 22.5 in one of 1,000 seeds.
  double chi2 = 0;
  for (const int count : counts) chi2 += (count - 10'000.0) * (count - 10'000.0) / 10'000.0;
  CHECK(chi2 < 22.5);
}

TEST_CASE("Indices are fixed by the seed alone") {
  // From the definition, in Python: ((draw >> 32) * 1000) >> 32 of the draws of MT19937-64 with the
  // standard's default seed 5489, the first of which is 14514284786278117030.
  IndexStream stream(5489);
  CHECK(stream.Below(1000) == 786);
  IndexStream again(5489);
  CHECK(again.Below(1) == 0);  // draws nothing
  CHECK(again.Below(1000) == 786);
}

/// The interval by the definition: resamples that are written out, each with a two-pass spread.
ConfidenceInterval ByDefinition(const std::vector<std::vector<double>>& units, double level) {
  const auto estimate = [](const std::vector<const std::vector<double>*>& drawn) {
    double n = 0, sum = 0, spread = 0, counted = 0;
    for (const auto* unit : drawn) {
      for (const double x : *unit) sum += x;
      n += static_cast<double>(unit->size());
    }
    for (const auto* unit : drawn) {
      double own = 0;
      for (const double x : *unit) own += x - sum / n;
      spread += own * own;
      counted += unit->empty() ? 0 : 1;
    }
    return std::pair(sum / n, std::sqrt(counted / (counted - 1) * spread) / n);
  };
  std::vector<const std::vector<double>*> all;
  for (const auto& unit : units) all.push_back(&unit);
  const auto [mean, s] = estimate(all);
  IndexStream stream(kBootstrapSeed);
  std::vector<double> studentised;
  for (int draw = 0; draw < 2000; ++draw) {
    std::vector<const std::vector<double>*> drawn;
    for (std::size_t i = 0; i < units.size(); ++i) {
      drawn.push_back(all[stream.Below(static_cast<std::uint32_t>(units.size()))]);
    }
    const auto [drawn_mean, drawn_s] = estimate(drawn);
    studentised.push_back((drawn_mean - mean) / std::max(drawn_s, s / 5));
  }
  std::ranges::sort(studentised);
  return {mean - SortedQuantile(studentised, (1 + level) / 2).value() * s,
          mean - SortedQuantile(studentised, (1 - level) / 2).value() * s, true};
}

void CheckSame(const ConfidenceInterval& a, const ConfidenceInterval& b) {
  CHECK(a.lower == doctest::Approx(b.lower).epsilon(1e-11));
  CHECK(a.upper == doctest::Approx(b.upper).epsilon(1e-11));
  CHECK(a.approximate == b.approximate);
}

TEST_CASE("The interval of a mean is that of the studentised bootstrap, by definition") {
  std::vector<std::vector<double>> units;
  std::vector<double> values;
  for (int i = 0; i < 20; ++i) {
    values.push_back(std::exp(0.2 * i));
    units.push_back({values.back()});
  }
  CheckSame(Resampling(std::vector<std::uint32_t>(20, 3)).MeanInterval(values, 0.95).value(),
            ByDefinition(units, 0.95));
  CheckSame(Resampling(std::vector<std::uint32_t>(20, 3)).MeanInterval(values, 0.8).value(),
            ByDefinition(units, 0.8));
}

TEST_CASE("Roll-outs are resampled with all their trials, and failures do not count") {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  // Thirteen roll-outs of two to seven trials, one of them of failures alone.
  std::vector<std::vector<double>> units(13);
  std::vector<double> values;
  std::vector<std::uint32_t> rollouts;
  for (std::uint32_t i = 0; i < 40; ++i) {
    const std::uint32_t rollout = i < 26 ? i % 13 : i % 3;
    const double x = std::sin(i) + rollout;
    const bool failed = rollout == 4 || i % 5 == 3;
    values.push_back(failed ? kNaN : x);
    rollouts.push_back(rollout);
    if (!failed) units[rollout].push_back(x);
  }
  CheckSame(Resampling(rollouts).MeanInterval(values, 0.95).value(), ByDefinition(units, 0.95));
}

TEST_CASE("Intervals of ten values cover what they say, and nearly so if these are skewed") {
  // An independent program has 94.7 and 92.3 % (χ² with one degree of freedom) of 1,500 samples;
  // the standard deviation of 1,000 is 0.7 and 0.8 %.
  NormalStream normal(3);
  const Resampling resampling(std::vector<std::uint32_t>(10, 0), {.draws = 500});
  int covered = 0;
  int covered_skewed = 0;
  for (int experiment = 0; experiment < 1000; ++experiment) {
    std::vector<double> values(10);
    for (double& value : values) value = 5 + 2 * normal.Next();
    covered += Covers(resampling.MeanInterval(values, 0.95).value(), 5);
    for (double& value : values) value = (value - 5) * (value - 5);
    covered_skewed += Covers(resampling.MeanInterval(values, 0.95).value(), 4);
  }
  CHECK(covered > 0.925 * 1000);
  CHECK(covered < 0.97 * 1000);
  CHECK(covered_skewed > 0.89 * 1000);
}

TEST_CASE("Intervals lean towards the long tail") {
  std::vector<double> skewed;
  for (int i = 1; i <= 40; ++i)
    skewed.push_back(-std::log((i - 0.5) / 40));  // exponential quantiles
  const ConfidenceInterval interval =
      Resampling(std::vector<std::uint32_t>(40, 0)).MeanInterval(skewed, 0.95).value();
  double mean = 0;
  for (const double x : skewed) mean += x / 40;
  CHECK(interval.upper - mean > 1.3 * (mean - interval.lower));
}

TEST_CASE("One value far from the others does not make an interval without end") {
  // A third of the resamples lack it, and have a spread of 0.01; s is 9.9.
  std::vector<double> values(10, 1.0);
  for (std::size_t i = 0; i < 9; ++i) values[i] += 0.001 * static_cast<double>(i);
  values[9] = 100;
  const ConfidenceInterval interval =
      Resampling(std::vector<std::uint32_t>(10, 0)).MeanInterval(values, 0.95).value();
  CHECK(interval.upper < 10.9 + 5 * 9.91);  // t* ≥ −(10.9 − 1)/(s/5), times s
  CHECK(interval.upper > 10.9 + 5 * 9.8);
}

TEST_CASE("An interval is approximate below 100 units") {
  std::vector<double> values(100);
  for (std::size_t i = 0; i < 100; ++i) values[i] = static_cast<double>(i % 7);
  const Resampling resampling(std::vector<std::uint32_t>(100, 0));
  CHECK_FALSE(resampling.MeanInterval(values, 0.95)->approximate);
  values[3] = std::nan("");
  CHECK(resampling.MeanInterval(values, 0.95)->approximate);
}

TEST_CASE("A proportion of independent trials has Wilson's interval, and ten of ten are not sure") {
  const auto interval = [](std::size_t successes, std::size_t n) {
    std::vector<double> values(n, 0.0);
    std::fill_n(values.begin(), successes, 1.0);
    return Resampling(std::vector<std::uint32_t>(n, 0)).ProportionInterval(values, 0.95).value();
  };
  CheckSame(interval(10, 10), WilsonInterval(10, 10, 0.95));
  CHECK(interval(10, 10).upper == 1.0);
  CheckSame(interval(15, 148), WilsonInterval(15, 148, 0.95));
  CheckSame(interval(0, 20), WilsonInterval(0, 20, 0.95));
}

TEST_CASE("Proportions count roll-outs where the motion decides, and more where values are means") {
  // Ten roll-outs of five trials, all alike: 3 of 10.
  std::vector<double> values(50, 0.0);
  std::vector<std::uint32_t> rollouts(50);
  for (std::uint32_t i = 0; i < 50; ++i) {
    rollouts[i] = i / 5;
    if (rollouts[i] < 3) values[i] = 1.0;
  }
  CheckSame(Resampling(rollouts).ProportionInterval(values, 0.95).value(),
            WilsonInterval(3, 10, 0.95));
  // Ten fractions 0.3 and 0.7 in turn: s² = (10/9)·0.04/10, t = 2.262157 of nine degrees.
  std::vector<double> fractions(10, 0.3);
  for (std::size_t i = 0; i < 10; i += 2) fractions[i] = 0.7;
  const double factor = 2.2621571628 / 1.9599639845;
  const double n = 0.25 / (0.04 / 9 * factor * factor);
  CheckSame(
      Resampling(std::vector<std::uint32_t>(10, 0)).ProportionInterval(fractions, 0.95).value(),
      WilsonInterval(n / 2, n, 0.95));
  // Equal ones: ten units cannot show more than a hundred trials would.
  CheckSame(Resampling(std::vector<std::uint32_t>(10, 0))
                .ProportionInterval(std::vector<double>(10, 0.25), 0.95)
                .value(),
            WilsonInterval(25, 100, 0.95));
  values[7] = 1.5;
  CHECK_FALSE(Resampling(rollouts).ProportionInterval(values, 0.95).has_value());
}

TEST_CASE("An interval moves with its sample, whatever the offset") {
  std::vector<double> small;
  std::vector<double> large;
  for (int i = 0; i < 30; ++i) {
    small.push_back(i * i / 8.0);
    large.push_back(small.back() + 0x1p30);  // both exact
  }
  const Resampling resampling(std::vector<std::uint32_t>(30, 0));
  const ConfidenceInterval near = resampling.MeanInterval(small, 0.95).value();
  const ConfidenceInterval far = resampling.MeanInterval(large, 0.95).value();
  // A double near 2³⁰ resolves 1.2e-7.
  CHECK(std::abs(far.lower - 0x1p30 - near.lower) < 1e-6);
  CHECK(std::abs(far.upper - 0x1p30 - near.upper) < 1e-6);
}

TEST_CASE("Equal values have an interval of no width") {
  const Resampling resampling(std::vector<std::uint32_t>(12, 0));
  CHECK(resampling.MeanInterval(std::vector<double>(12, 3.1), 0.95).value() ==
        ConfidenceInterval{3.1, 3.1, true});
}

TEST_CASE("Above 10,000 units an interval is that of the normal distribution") {
  constexpr std::size_t kTrials = 2 * (kMostForBootstrap + 1);
  std::vector<double> values(kTrials);
  std::vector<std::uint32_t> own(kTrials);
  std::vector<std::uint32_t> pairs(kTrials);
  for (std::size_t i = 0; i < kTrials; ++i) {
    values[i] = i % 4 < 2 ? 1.0 : 3.0;
    own[i] = static_cast<std::uint32_t>(i);
    pairs[i] = static_cast<std::uint32_t>(i / 2);
  }
  const ConfidenceInterval interval = Resampling(own).MeanInterval(values, 0.95).value();
  // s = 1 but for O(1/N).
  const double half = 1.959963984540054 / std::sqrt(static_cast<double>(kTrials));
  CHECK(interval.lower == doctest::Approx(2 - half).epsilon(2e-4));
  CHECK(interval.upper == doctest::Approx(2 + half).epsilon(2e-4));
  CHECK_FALSE(interval.approximate);
  // Both trials of a roll-out are alike: as wide as that of half as many.
  const ConfidenceInterval paired = Resampling(pairs).MeanInterval(values, 0.95).value();
  CHECK(paired.upper - paired.lower ==
        doctest::Approx(std::sqrt(2.0) * (interval.upper - interval.lower)).epsilon(1e-3));
}

TEST_CASE("Intervals cover when trials share roll-outs, and do not where that is ignored") {
  // 20 motions × 5 noises with a motion spread of 2 and a noise spread of 1.
  NormalStream normal(4);
  std::vector<std::uint32_t> rollouts(100);
  for (std::uint32_t i = 0; i < 100; ++i) rollouts[i] = i / 5;
  const Resampling resampling(rollouts, {.draws = 300});
  const Resampling ignoring(std::vector<std::uint32_t>(100, 0), {.draws = 300});
  int covered = 0;
  int covered_ignoring = 0;
  for (int experiment = 0; experiment < 300; ++experiment) {
    std::vector<double> values(100);
    double motion = 0;
    for (std::size_t i = 0; i < 100; ++i) {
      if (i % 5 == 0) motion = 2 * normal.Next();
      values[i] = motion + normal.Next();
    }
    covered += Covers(resampling.MeanInterval(values, 0.95).value(), 0);
    covered_ignoring += Covers(ignoring.MeanInterval(values, 0.95).value(), 0);
  }
  // 300 experiments: a standard deviation of 0.013 about 0.95. Ignoring makes the interval
  // √((4 + 1/5)/20) / √(5/100) = 2 times too narrow: a coverage of about 2Φ(1.96/2) − 1 = 0.67.
  CHECK(covered > 0.91 * 300);
  CHECK(covered_ignoring < 0.76 * 300);
}

TEST_CASE("A resampling of nothing, and other numbers of values, are refused") {
  CHECK_THROWS_WITH_AS(Resampling({}),
                       "Resampling: got 0 trials and 2000 draws; accepted are at least one of each",
                       std::invalid_argument);
  const std::vector<std::uint32_t> rollouts = {0, 1};
  CHECK_THROWS_AS(Resampling(rollouts, {.draws = 0}), std::invalid_argument);
  CHECK_THROWS_WITH_AS(Resampling(rollouts).MeanInterval(std::vector<double>{1}, 0.95),
                       "Resampling: got 1 values for 2 trials; accepted is one per trial",
                       std::invalid_argument);
}

}  // namespace
}  // namespace idbench
