#include "reports/statistics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "reports/quantile.h"

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
  double sum = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double from = std::max(static_cast<double>(i), n / 4);
    const double to = std::min(static_cast<double>(i + 1), 3 * n / 4);
    if (to > from) sum += (to - from) * sorted[i];
  }
  return IfFinite(sum / (n / 2));
}

std::size_t CountDistinct(std::vector<std::uint32_t> numbers) {
  std::ranges::sort(numbers);
  return static_cast<std::size_t>(std::ranges::unique(numbers).begin() - numbers.begin());
}

void DescribeSurvivors(std::span<const double> values, std::span<const std::uint32_t> rollouts,
                       const BootstrapOptions& bootstrap, SampleStatistics& statistics) {
  if (values.empty()) return;
  const auto [least, largest] = std::ranges::minmax(values);
  statistics.min = least;
  statistics.max = largest;
  statistics.mean = IfFinite(Mean(values));
  if (!statistics.mean) return;
  if (values.size() >= 2) statistics.variance = IfFinite(Variance(values, *statistics.mean));
  const std::size_t n_rollouts = CountDistinct({rollouts.begin(), rollouts.end()});
  const std::size_t independent = n_rollouts == 1 ? values.size() : n_rollouts;
  // No resample may overflow: the worst repeats the extreme value n times.
  const double worst = static_cast<double>(values.size()) * std::max(-least, largest);
  if (independent < kFewestForInterval || !std::isfinite(worst)) return;
  statistics.ci95_mean = PercentileInterval(BootstrapMeans(values, rollouts, bootstrap), kLevel);
}

}  // namespace

std::optional<double> SampleStatistics::StandardDeviation() const {
  return variance ? std::optional(std::sqrt(*variance)) : std::nullopt;
}

SampleStatistics Describe(std::span<const double> values, std::span<const std::uint32_t> rollouts,
                          const BootstrapOptions& bootstrap) {
  if (values.size() != rollouts.size()) {
    throw std::invalid_argument(
        fmt::format("Describe: got {} values and {} roll-outs, accepted is one roll-out per value",
                    values.size(), rollouts.size()));
  }
  std::vector<double> survivors;
  std::vector<std::uint32_t> survivors_rollouts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    survivors.push_back(values[i]);
    survivors_rollouts.push_back(rollouts[i]);
  }
  SampleStatistics statistics;
  statistics.n = survivors.size();
  statistics.failed = values.size() - survivors.size();
  DescribeSurvivors(survivors, survivors_rollouts, bootstrap, statistics);

  std::vector<double> sorted = std::move(survivors);
  std::ranges::sort(sorted);
  sorted.resize(values.size(), std::numeric_limits<double>::infinity());
  statistics.median = SortedQuantile(sorted, 0.5);
  if (sorted.size() >= kFewestForIqm) statistics.iqm = InterquartileMean(sorted);
  if (sorted.size() >= kFewestForTails) {
    statistics.q05 = SortedQuantile(sorted, 0.05);
    statistics.q95 = SortedQuantile(sorted, 0.95);
  }
  return statistics;
}

const std::vector<std::string>& StatisticNames() {
  static const std::vector<std::string> kNames = {"mean", "median", "iqm", "q05",
                                                  "q95",  "min",    "max", "sd"};
  return kNames;
}

std::optional<double> Statistic(const SampleStatistics& statistics, std::string_view name) {
  if (name == "mean") return statistics.mean;
  if (name == "median") return statistics.median;
  if (name == "iqm") return statistics.iqm;
  if (name == "q05") return statistics.q05;
  if (name == "q95") return statistics.q95;
  if (name == "min") return statistics.min;
  if (name == "max") return statistics.max;
  if (name == "sd") return statistics.StandardDeviation();
  throw std::invalid_argument(fmt::format("Statistic: got \"{}\", accepted are {}", name,
                                          fmt::join(StatisticNames(), ", ")));
}

std::optional<DurationStatistics> DescribeDurations(std::vector<double> durations) {
  if (durations.empty()) return std::nullopt;
  std::ranges::sort(durations);
  DurationStatistics statistics;
  statistics.median = SortedQuantile(durations, 0.5).value();
  if (durations.size() >= kFewestForP99) statistics.p99 = SortedQuantile(durations, 0.99);
  return statistics;
}

}  // namespace idbench
