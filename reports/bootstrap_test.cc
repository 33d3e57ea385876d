#include "reports/bootstrap.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
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

TEST_CASE("The percentile interval of ten normal values covers their mean as often as documented") {
  // Expected is 0.92 (see PercentileInterval()) or a little less with 400 draws; the standard
  // deviation of 2,000 experiments is 0.006.
  NormalStream normal(3);
  const std::vector<std::uint32_t> rollouts(10, 0);
  int covered = 0;
  for (int experiment = 0; experiment < 2000; ++experiment) {
    std::vector<double> values(10);
    for (double& value : values) value = 5 + 2 * normal.Next();
    const std::vector<double> means = BootstrapMeans(values, rollouts, {.draws = 400});
    covered += Covers(PercentileInterval(means, 0.95), 5);
  }
  CHECK(covered > 0.885 * 2000);
  CHECK(covered < 0.94 * 2000);
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
                       "BootstrapMeans: got 1 values, 2 roll-outs, 1000 draws; accepted are one "
                       "roll-out per value, at least one value and one draw",
                       std::invalid_argument);
  CHECK_THROWS_AS(BootstrapMeans({}, {}), std::invalid_argument);
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
