#include "reports/statistics/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>

#include "reports/statistics/quantile.h"

namespace idbench {
namespace {

constexpr double kLevel = 0.95;

std::optional<double> IfFinite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// x̄, corrected by the mean residual, which takes away the rounding of the first sum.
double Mean(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  for (const double x : values) sum += x;
  const double mean = sum / n;
  double residual = 0;
  for (const double x : values) residual += x - mean;
  return mean + residual / n;
}

/// Σ(x − x̄)²/(n − 1)
double Variance(std::span<const double> values, double mean) {
  double sum = 0;
  for (const double x : values) sum += (x - mean) * (x - mean);
  return sum / static_cast<double>(values.size() - 1);
}

/// Mean of the values between the quartiles: of N sorted values the N/4 at each end are left out;
/// where N/4 is no integer, the value at that place counts by the part that is left.
std::optional<double> InterquartileMean(std::span<const double> sorted) {
  const auto n = static_cast<double>(sorted.size());
  const double pivot = sorted[sorted.size() / 2];  // Sums of differences keep their digits.
  double sum = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double from = std::max(static_cast<double>(i), n / 4);
    const double to = std::min(static_cast<double>(i + 1), 3 * n / 4);
    if (to > from) sum += (to - from) * (sorted[i] - pivot);
  }
  return IfFinite(pivot + sum / (n / 2));
}

void DescribeSurvivors(std::span<const double> survivors, std::span<const double> values,
                       const Resampling& resampling, std::optional<ValueLaw> law,
                       SampleStatistics& statistics) {
  if (survivors.empty()) return;
  const auto [least, largest] = std::ranges::minmax(survivors);
  statistics.min = least;
  statistics.max = largest;
  statistics.mean = IfFinite(Mean(survivors));
  if (!statistics.mean) return;
  if (survivors.size() >= 2) {
    statistics.variance = IfFinite(Variance(survivors, *statistics.mean));
  }
  statistics.ci95_mean = law == ValueLaw::kProportion
                             ? resampling.ProportionInterval(values, kLevel)
                             : resampling.MeanInterval(values, kLevel);
  if (least <= 0) return;
  std::vector<double> logarithms(values.begin(), values.end());
  for (double& x : logarithms) x = std::isfinite(x) ? std::log(x) : x;
  std::vector<double> finite;
  std::ranges::copy_if(logarithms, std::back_inserter(finite),
                       [](double x) { return std::isfinite(x); });
  statistics.geometric_mean = std::exp(Mean(finite));
  if (const auto interval = resampling.MeanInterval(logarithms, kLevel)) {
    // Logarithms are hardly skewed: not approximate.
    statistics.ci95_geometric_mean = {std::exp(interval->lower), std::exp(interval->upper)};
  }
}

[[noreturn]] void RefuseSizes(std::size_t values, std::size_t rollouts) {
  throw std::invalid_argument(
      fmt::format("Describe: got {} values and {} roll-outs, accepted is one roll-out per value",
                  values, rollouts));
}

}  // namespace

std::optional<double> SampleStatistics::StandardDeviation() const {
  return variance ? std::optional(std::sqrt(*variance)) : std::nullopt;
}

std::optional<double> SampleStatistics::RootMeanSquare() const {
  if (!mean) return std::nullopt;
  // Σx²/n = x̄² + (n − 1)/n·variance
  const double part = 1.0 - 1.0 / static_cast<double>(n);
  return std::sqrt(*mean * *mean + part * variance.value_or(0.0));
}

SampleStatistics Describe(std::span<const double> values, const Resampling& resampling,
                          std::optional<ValueLaw> law) {
  if (values.size() != resampling.rollouts().size()) {
    RefuseSizes(values.size(), resampling.rollouts().size());
  }
  std::vector<double> survivors;
  std::ranges::copy_if(values, std::back_inserter(survivors),
                       [](double x) { return std::isfinite(x); });
  SampleStatistics statistics;
  statistics.n = survivors.size();
  statistics.failed = values.size() - survivors.size();
  DescribeSurvivors(survivors, values, resampling, law, statistics);

  std::vector<double> sorted = std::move(survivors);
  std::ranges::sort(sorted);
  sorted.resize(values.size(), std::numeric_limits<double>::infinity());
  statistics.median = SortedQuantile(sorted, 0.5);
  if (sorted.size() >= kFewestForQuartiles) {
    statistics.q25 = SortedQuantile(sorted, 0.25);
    statistics.q75 = SortedQuantile(sorted, 0.75);
  }
  if (sorted.size() >= kFewestForIqm) statistics.iqm = InterquartileMean(sorted);
  if (sorted.size() >= kFewestForTails) {
    statistics.q05 = SortedQuantile(sorted, 0.05);
    statistics.q95 = SortedQuantile(sorted, 0.95);
  }
  return statistics;
}

SampleStatistics Describe(std::span<const double> values, std::span<const std::uint32_t> rollouts,
                          const BootstrapOptions& bootstrap) {
  if (rollouts.empty() && values.empty()) return {};
  if (rollouts.empty()) RefuseSizes(values.size(), 0);
  return Describe(values, Resampling(rollouts, bootstrap));
}

std::optional<ConfidenceInterval> FailureRateInterval(std::span<const FailureCount> rollouts) {
  double n = 0;
  double failed = 0;
  for (const FailureCount& rollout : rollouts) {
    n += static_cast<double>(rollout.trials);
    failed += static_cast<double>(rollout.failed);
  }
  if (n == 0) return std::nullopt;
  const auto n_rollouts = static_cast<double>(rollouts.size());
  const double p = failed / n;
  if (rollouts.size() == 1) return WilsonInterval(failed, n, kLevel);
  double variance = 0;
  for (const FailureCount& rollout : rollouts) {
    const double excess =
        static_cast<double>(rollout.failed) - p * static_cast<double>(rollout.trials);
    variance += n_rollouts / (n_rollouts - 1) * (excess / n) * (excess / n);
  }
  const double effective = EffectiveTrials(p, variance, n_rollouts, n);
  return WilsonInterval(p * effective, effective, kLevel);
}

std::optional<DurationStatistics> DescribeDurations(std::vector<double> durations) {
  if (durations.empty()) return std::nullopt;
  std::ranges::sort(durations);
  DurationStatistics statistics;
  statistics.n = durations.size();
  statistics.median = SortedQuantile(durations, 0.5).value();
  if (durations.size() >= kFewestForP99) statistics.p99 = SortedQuantile(durations, 0.99);
  return statistics;
}

}  // namespace idbench
