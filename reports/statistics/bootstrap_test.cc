#include "reports/statistics/bootstrap.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <stdexcept>

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

TEST_CASE("Resampled means of equal values are that value") {
  const std::vector<double> values(12, 3.0);
  const std::vector<std::uint32_t> rollouts(12, 0);
  for (const double mean : BootstrapMeans(values, rollouts)) CHECK(mean == 3.0);
}

TEST_CASE("The variance of resampled means is that of the plain bootstrap, Σ(x − x̄)²/n²") {
  std::vector<double> values(40);
  std::vector<std::uint32_t> one(40, 7);
  std::vector<std::uint32_t> own(40);
  for (std::uint32_t i = 0; i < 40; ++i) {
    values[i] = i;
    own[i] = 40 - i;
  }
  const double expected = (40.0 * 40.0 - 1) / 12 / 40;  // variance of 0 … 39, over n
  for (const auto* rollouts : {&one, &own}) {
    const std::vector<double> means = BootstrapMeans(values, *rollouts, {.draws = 20'000});
    double sum = 0;
    for (const double mean : means) sum += (mean - 19.5) * (mean - 19.5);
    // The variance of 20,000 draws has a relative standard deviation of √(2/20000) = 0.01.
    CHECK(sum / 20'000 == doctest::Approx(expected).epsilon(0.04));
  }
}

TEST_CASE("Whole roll-outs are resampled, not trials across roll-outs") {
  // Two roll-outs whose trials do not differ: a resample has the means 0, 1/2 or 1 and no other.
  const std::vector<double> values = {0, 1, 0, 1, 0, 1};
  const std::vector<std::uint32_t> rollouts = {4, 9, 4, 9, 4, 9};
  const std::vector<double> means = BootstrapMeans(values, rollouts);
  CHECK(std::set<double>(means.begin(), means.end()) == std::set<double>{0.0, 0.5, 1.0});
}

TEST_CASE("BCa intervals of ten normal values cover their mean as often as is known") {
  // The percentile interval has 0.92, BCa much the same at this size; the standard deviation of
  // 1,000 experiments is 0.009.
  NormalStream normal(3);
  const Resampling resampling(std::vector<std::uint32_t>(10, 0), {.draws = 500});
  int covered = 0;
  for (int experiment = 0; experiment < 1000; ++experiment) {
    std::vector<double> values(10);
    for (double& value : values) value = 5 + 2 * normal.Next();
    covered += Covers(resampling.MeanInterval(values, 0.95).value(), 5);
  }
  CHECK(covered > 0.88 * 1000);
  CHECK(covered < 0.95 * 1000);
}

TEST_CASE("BCa follows the definition: z₀ from the replicates, a from the jackknife") {
  // 0 … 999 as replicates, 400 of them and half a tie below the estimate. By Python's
  // statistics.NormalDist: z0 = inv_cdf(0.4005), a = 0.05, Φ(z0 + (z0 + z)/(1 − a(z0 + z))) for z =
  // ±1.959964.
  std::vector<double> replicates(1000);
  for (std::size_t i = 0; i < replicates.size(); ++i) replicates[i] = static_cast<double>(i);
  const ConfidenceInterval interval = BcaInterval(replicates, 400, 0.05, 0.95);
  CHECK(interval.lower == doctest::Approx(999 * 0.01242317728711595).epsilon(1e-9));
  CHECK(interval.upper == doctest::Approx(999 * 0.9468796563090398).epsilon(1e-9));
}

TEST_CASE("BCa leans towards the long tail, and is the percentile interval of symmetric data") {
  std::vector<double> skewed;
  std::vector<double> symmetric;
  for (int i = 1; i <= 40; ++i) {
    skewed.push_back(-std::log((i - 0.5) / 40));  // exponential quantiles
    symmetric.push_back(i - 20.5);
  }
  const std::vector<std::uint32_t> rollouts(40, 0);
  const Resampling resampling(rollouts);
  const ConfidenceInterval bca = resampling.MeanInterval(skewed, 0.95).value();
  const ConfidenceInterval percentile = PercentileInterval(resampling.Means(skewed), 0.95);
  CHECK(bca.upper > percentile.upper);
  CHECK(bca.lower > percentile.lower);
  // a = 0 here; z₀ is that of 2,000 draws, whose median has a standard deviation of 0.03.
  const ConfidenceInterval even = resampling.MeanInterval(symmetric, 0.95).value();
  const ConfidenceInterval expected = PercentileInterval(resampling.Means(symmetric), 0.95);
  const double width = expected.upper - expected.lower;
  CHECK(std::abs(even.lower - expected.lower) < 0.05 * width);
  CHECK(std::abs(even.upper - expected.upper) < 0.05 * width);
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
        ConfidenceInterval{3.1, 3.1});
}

TEST_CASE("Failures are left out of the resamples that draw them") {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const Resampling resampling(std::vector<std::uint32_t>(4, 0));
  const std::vector<double> means = resampling.Means(std::vector<double>{kNaN, 2, kNaN, 2});
  CHECK(means.size() < 2000);  // (1/2)⁴ of the resamples hold failures alone
  CHECK(means.size() > 1800);
  for (const double mean : means) CHECK(mean == 2);
  CHECK_FALSE(resampling.MeanInterval(std::vector<double>(4, kNaN), 0.95).has_value());
}

TEST_CASE("Above 10,000 trials an interval is that of the normal distribution") {
  constexpr std::size_t kTrials = kMostForBootstrap + 1;
  std::vector<double> values(kTrials);
  std::vector<std::uint32_t> own(kTrials);
  std::vector<std::uint32_t> pairs(kTrials);
  for (std::size_t i = 0; i < kTrials; ++i) {
    values[i] = i % 2 == 0 ? 1.0 : 3.0;
    own[i] = static_cast<std::uint32_t>(i);
    pairs[i] = static_cast<std::uint32_t>(i / 2);
  }
  const ConfidenceInterval interval = Resampling(own).MeanInterval(values, 0.95).value();
  // x̄ = 2 − 1/N, s = 1 but for O(1/N).
  const double half = 1.959963984540054 / std::sqrt(static_cast<double>(kTrials));
  CHECK(interval.lower == doctest::Approx(2 - half).epsilon(2e-4));
  CHECK(interval.upper == doctest::Approx(2 + half).epsilon(2e-4));
  // Each roll-out holds a 1 and a 3: their means hardly differ.
  const ConfidenceInterval paired = Resampling(pairs).MeanInterval(values, 0.95).value();
  CHECK(paired.upper - paired.lower < 0.05 * (interval.upper - interval.lower));
  CHECK_THROWS_WITH_AS(Resampling(own).Means(values),
                       "Resampling: got 10001 trials; resamples are drawn of at most 10000",
                       std::invalid_argument);
}

TEST_CASE("An upper limit is x̄ + t·s/√n, of roll-outs where trials share them") {
  const std::vector<double> values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const Resampling one(std::vector<std::uint32_t>(10, 0));
  // s² = 110/12; t of 9 degrees of freedom at 0.999 is 4.29681 (tables).
  CHECK(one.UpperLimit(values, 0.999).value() ==
        doctest::Approx(5.5 + 4.29681 * std::sqrt(110.0 / 12 / 10)).epsilon(1e-6));
  // Each value twice, as two trials of one roll-out: no more certain.
  std::vector<double> twice;
  std::vector<std::uint32_t> rollouts;
  for (std::uint32_t i = 0; i < 10; ++i) {
    twice.insert(twice.end(), {values[i], values[i]});
    rollouts.insert(rollouts.end(), {i, i});
  }
  CHECK(Resampling(rollouts).UpperLimit(twice, 0.999).value() ==
        doctest::Approx(one.UpperLimit(values, 0.999).value()).epsilon(1e-12));
  CHECK_FALSE(one.UpperLimit(std::vector<double>(10, std::nan("")), 0.9).has_value());
}

TEST_CASE("Wilson's interval is that of the literature") {
  // Newcombe, Statistics in Medicine 17, 1998, table I: 81/263, 15/148, 0/20, 1/29.
  const auto check = [](double successes, double n, double lower, double upper) {
    const ConfidenceInterval interval = WilsonInterval(successes, n, 0.95);
    CHECK(std::abs(interval.lower - lower) < 5e-5);  // printed to four digits
    CHECK(std::abs(interval.upper - upper) < 5e-5);
  };
  check(81, 263, 0.2553, 0.3662);
  check(15, 148, 0.0624, 0.1605);
  check(0, 20, 0.0, 0.1611);
  check(1, 29, 0.0061, 0.1718);
  CHECK_THROWS_WITH_AS(WilsonInterval(3, 2, 0.95),
                       "WilsonInterval: got 3 of 2 and level 0.95; accepted are 0 ≤ successes ≤ n, "
                       "n > 0 and a level in (0, 1)",
                       std::invalid_argument);
}

TEST_CASE("Intervals cover when trials share roll-outs, and do not where that is ignored") {
  // 20 motions × 5 noises with a motion spread of 2 and a noise spread of 1.
  NormalStream normal(4);
  std::vector<std::uint32_t> rollouts(100);
  for (std::uint32_t i = 0; i < 100; ++i) rollouts[i] = i / 5;
  const std::vector<std::uint32_t> ignored(100, 0);
  int covered = 0;
  int covered_ignoring = 0;
  for (int experiment = 0; experiment < 300; ++experiment) {
    std::vector<double> values(100);
    double motion = 0;
    for (std::size_t i = 0; i < 100; ++i) {
      if (i % 5 == 0) motion = 2 * normal.Next();
      values[i] = motion + normal.Next();
    }
    const BootstrapOptions options = {.draws = 300};
    covered += Covers(PercentileInterval(BootstrapMeans(values, rollouts, options), 0.95), 0);
    covered_ignoring +=
        Covers(PercentileInterval(BootstrapMeans(values, ignored, options), 0.95), 0);
  }
  // 300 experiments: a standard deviation of 0.013 about 0.94. Ignoring makes the interval
  // √((4 + 1/5)/20) / √(5/100) = 2 times too narrow: a coverage of about 2Φ(1.96/2) − 1 = 0.67.
  CHECK(covered > 0.90 * 300);
  CHECK(covered_ignoring < 0.76 * 300);
}

TEST_CASE("Percentiles of the replicates are their type 7 quantiles") {
  std::vector<double> replicates(1001);
  for (std::size_t i = 0; i < replicates.size(); ++i) replicates[i] = static_cast<double>(i);
  std::ranges::reverse(replicates);
  const ConfidenceInterval interval = PercentileInterval(replicates, 0.95);
  CHECK(interval.lower == doctest::Approx(25.0).epsilon(1e-12));
  CHECK(interval.upper == doctest::Approx(975.0).epsilon(1e-12));
}

TEST_CASE("A bootstrap of nothing is refused") {
  const std::vector<double> values = {1};
  const std::vector<std::uint32_t> rollouts = {0, 1};
  CHECK_THROWS_WITH_AS(BootstrapMeans(values, rollouts),
                       "Resampling: got 1 values for 2 trials; accepted is one per trial",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(BootstrapMeans({}, {}),
                       "Resampling: got 0 trials and 2000 draws; accepted are at least one of each",
                       std::invalid_argument);
  CHECK_THROWS_AS(BootstrapMeans(values, std::span(rollouts).first(1), {.draws = 0}),
                  std::invalid_argument);
  CHECK_THROWS_WITH_AS(PercentileInterval({}, 0.95),
                       "PercentileInterval: got 0 replicates and level 0.95; accepted are at least "
                       "one replicate and a level in (0, 1)",
                       std::invalid_argument);
  CHECK_THROWS_AS(PercentileInterval({1, 2}, 1.0), std::invalid_argument);
}

}  // namespace
}  // namespace idbench
