#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/bootstrap.h"

namespace idbench {

/// Fewest samples for which a statistic is stated; below, it is absent.
inline constexpr std::size_t kFewestForInterval = 10;
inline constexpr std::size_t kFewestForIqm = 8;
inline constexpr std::size_t kFewestForTails = 20;  ///< 5 % and 95 % quantile.
inline constexpr std::size_t kFewestForP99 = 200;

/// What is known of one number over the trials of one cell.
///
/// Failures are data. Quantiles, median and interquartile mean take each as +∞, and are absent
/// where that decides them; mean, variance, least and largest are those of the survivors, as
/// `failed` tells the reader.
struct SampleStatistics {
  std::size_t n = 0;       ///< Successes.
  std::size_t failed = 0;  ///< Failures; n + failed trials in all.
  std::optional<double> mean;
  std::optional<double> variance;  ///< Unbiased, Σ(x − x̄)²/(n − 1), two-pass; from two on.
  std::optional<double> median;
  std::optional<double> iqm;  ///< Interquartile mean: of the middle half, ends weighted by parts.
  std::optional<double> q05;
  std::optional<double> q95;
  std::optional<double> min;
  std::optional<double> max;
  /// 95 % percentile-bootstrap interval of the mean. Its samples are the roll-outs, or with one
  /// roll-out the trials, conditional on it: kFewestForInterval of these are needed.
  std::optional<ConfidenceInterval> ci95_mean;

  /// The square root of the variance.
  std::optional<double> StandardDeviation() const;

  bool operator==(const SampleStatistics&) const = default;
};

/// @param values    one per trial; one that is not finite is a failure.
/// @param rollouts  the roll-out of each trial, as any number.
/// @throws std::invalid_argument if the sizes differ.
SampleStatistics Describe(std::span<const double> values, std::span<const std::uint32_t> rollouts,
                          const BootstrapOptions& bootstrap = {});

/// Names of the statistics that Statistic() knows: mean, median, iqm, q05, q95, min, max, sd.
const std::vector<std::string>& StatisticNames();

/// One statistic by its name. @throws std::invalid_argument for an unknown name.
std::optional<double> Statistic(const SampleStatistics& statistics, std::string_view name);

/// Median and 99 % quantile of a duration.
struct DurationStatistics {
  double median = 0;
  std::optional<double> p99;

  bool operator==(const DurationStatistics&) const = default;
};

/// Nothing for no durations. @param durations  finite, in any order and unit.
std::optional<DurationStatistics> DescribeDurations(std::vector<double> durations);

}  // namespace idbench
