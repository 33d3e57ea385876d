#include "reports/run/bound_alarms.h"

#include <doctest/doctest.h>

#include <limits>

namespace idbench {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// The lower 0.001 and 0.0005 quantiles of χ² with ten degrees of freedom: the first of the NIST
/// tables; the second solves 1 − e^(−x/2)·Σₖ(x/2)ᵏ/k! = 0.0005, k < 5.
constexpr double kQuantile = 1.479;
constexpr double kQuantileOfHalf = 1.265;

const RunMetric kCramerRao = {"crlb_ratio@t=5", "1", {},
                              std::nullopt,     "",  ValueLaw::kUnbiasedBoundRatio};
const RunMetric kVanTrees = {"van_trees_ratio", "1", {},
                             std::nullopt,      "",  ValueLaw::kBayesianBoundRatio};

RunManifest JudgedManifest() {
  RunManifest manifest;
  manifest.cells.resize(2);
  for (RunCell& cell : manifest.cells) cell.parameters = {"link1.m", "link2.m"};
  manifest.estimators = {"ols", "ridge"};
  manifest.unbiased = {"ols"};
  return manifest;
}

/// Five trials with two degrees of freedom each, whose squares have this sum.
MetricSamples FiveTrials(double sum) {
  MetricSamples samples;
  samples.overall = {sum / 20, sum / 20, sum / 10, 3 * sum / 20, 3 * sum / 20};
  samples.counts.assign(5, 2);
  return samples;
}

/// Number of alarms if the first estimator's ratio has this sum, beside others that are fine.
std::size_t AlarmsBesideOthers(const MetricSamples& samples, int others) {
  const RunManifest manifest = JudgedManifest();
  BoundAlarms alarms(manifest);
  alarms.Add(0, 0, kCramerRao, samples);
  for (int i = 0; i < others; ++i) alarms.Add(1, 0, kCramerRao, FiveTrials(10));
  return alarms.Raised().size();
}

TEST_CASE("The alarm begins at the 0.1 % quantile of the χ² law, adjusted for all tests") {
  CHECK(AlarmsBesideOthers(FiveTrials(0.999 * kQuantile), 0) == 1);
  CHECK(AlarmsBesideOthers(FiveTrials(1.001 * kQuantile), 0) == 0);
  CHECK(AlarmsBesideOthers(FiveTrials(0.999 * kQuantile), 1) == 0);
  CHECK(AlarmsBesideOthers(FiveTrials(0.999 * kQuantileOfHalf), 1) == 1);
  CHECK(AlarmsBesideOthers(FiveTrials(1.001 * kQuantileOfHalf), 1) == 0);
}

TEST_CASE("Degrees of freedom add up over trials that count over different numbers") {
  MetricSamples samples = FiveTrials(0);
  samples.counts = {1, 2, 2, 2, 3};
  samples.overall = {0, 0, 0, 0, 0.999 * kQuantile / 3};
  CHECK(AlarmsBesideOthers(samples, 0) == 1);
  samples.overall.back() = 1.001 * kQuantile / 3;
  CHECK(AlarmsBesideOthers(samples, 0) == 0);
}

TEST_CASE("A ratio to a bound of linear estimators, with the count 0, raises no alarm") {
  const RunManifest manifest = JudgedManifest();
  for (const RunMetric& metric : {kCramerRao, kVanTrees}) {
    MetricSamples samples = FiveTrials(0.1 * kQuantile);
    BoundAlarms of_all(manifest);
    of_all.Add(0, 0, metric, samples);
    CHECK(of_all.Raised().size() == 1);
    samples.counts.assign(5, 0);
    BoundAlarms of_linear(manifest);
    of_linear.Add(0, 0, metric, samples);
    CHECK(of_linear.Raised().empty());
  }
}

TEST_CASE("A trial that failed makes an alarm rarer, because its error may have been large") {
  MetricSamples samples = FiveTrials(0.999 * kQuantileOfHalf);
  samples.overall.push_back(kNaN);
  samples.counts.push_back(kNaN);
  CHECK(AlarmsBesideOthers(samples, 0) == 0);  // six choices of five trials
  CHECK(AlarmsBesideOthers(FiveTrials(0.999 * kQuantileOfHalf), 0) == 1);
}

TEST_CASE("A bound of unbiased estimators judges these alone, the Bayesian one all") {
  const RunManifest manifest = JudgedManifest();
  BoundAlarms alarms(manifest);
  MetricSamples without_counts = FiveTrials(0.01);
  without_counts.counts.assign(5, kNaN);
  alarms.Add(0, 1, kCramerRao, FiveTrials(0.01));
  alarms.Add(1, 1, kVanTrees, without_counts);
  alarms.Add(1, 0, {"nees", "1", {}}, FiveTrials(0.01));
  const std::vector<BoundAlarm> raised = alarms.Raised();
  REQUIRE(raised.size() == 1);
  CHECK(raised[0].cell == 1);
  CHECK(raised[0].estimator == 1);
  // P(χ²₁₀ ≤ x) is (x/2)⁵/5! to first order: 2.6e-14.
  CHECK(raised[0].sentence ==
        "van_trees_ratio of ridge is 0.001 over 5 trials: an estimator with normal errors comes so "
        "low with a probability of at most 3e-14 (adjusted for 1 test), so suspect a leak of the "
        "truth, a wrong σ, or errors far from normal");
}

TEST_CASE("Without degrees of freedom, or without a value, there is no test") {
  RunManifest manifest = JudgedManifest();
  for (RunCell& cell : manifest.cells) cell.parameters.clear();
  BoundAlarms alarms(manifest);
  alarms.Add(0, 0, kVanTrees, FiveTrials(0.01));
  MetricSamples samples = FiveTrials(0.01);
  samples.counts[2] = kNaN;
  alarms.Add(0, 0, kCramerRao, samples);
  alarms.Add(0, 0, kCramerRao, FiveTrials(kNaN));
  CHECK(alarms.Raised().empty());
}

}  // namespace
}  // namespace idbench
