#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reports/statistics/bootstrap.h"
#include "reports/statistics/value_law.h"

namespace idbench {

/// Fewest samples for which a statistic is stated; it is absent below. See kFewestForInterval too.
inline constexpr std::size_t kFewestForQuartiles = 4;
inline constexpr std::size_t kFewestForIqm = 8;
inline constexpr std::size_t kFewestForTails = 20;  ///< 5 % and 95 % quantile.
inline constexpr std::size_t kFewestForP99 = 200;

/// Statistics of one number over the trials of one cell.
///
/// Failures are data. Quantiles, median and interquartile mean count each as +∞, and are absent if
/// that decides them. Mean, variance, minimum and maximum are those of the survivors; `failed`
/// tells the reader so.
struct SampleStatistics {
  std::size_t n = 0;       ///< Number of successes.
  std::size_t failed = 0;  ///< Number of failures; there are n + failed trials.
  std::optional<double> mean;
  std::optional<double> variance;  ///< Unbiased, Σ(x − x̄)²/(n − 1), two-pass; for n ≥ 2.
  std::optional<double> median;
  /// Interquartile mean: of the middle half, with fractional weights at its ends.
  std::optional<double> iqm;
  std::optional<double> q05;
  std::optional<double> q25;
  std::optional<double> q75;
  std::optional<double> q95;
  std::optional<double> min;
  std::optional<double> max;
  /// 95 % interval of the mean: of the studentised bootstrap, see Resampling::MeanInterval(), or of
  /// proportions Wilson's, see Resampling::ProportionInterval().
  std::optional<ConfidenceInterval> ci95_mean;
  /// exp of the mean logarithm, if all survivors are positive; for comparing ratios.
  std::optional<double> geometric_mean;
  std::optional<ConfidenceInterval> ci95_geometric_mean;  ///< exp of the interval of that mean.

  /// Returns the square root of the variance.
  std::optional<double> StandardDeviation() const;
  /// Returns √(Σx²/n), which for errors without a sign compares with a bound on a
  /// standard deviation.
  std::optional<double> RootMeanSquare() const;

  bool operator==(const SampleStatistics&) const = default;
};

/// Computes the statistics.
/// @param values      one per trial; a value that is not finite is a failure.
/// @param resampling  of the roll-outs of these trials.
/// @param law         what is known of the values beforehand.
/// @throws std::invalid_argument if the sizes differ.
SampleStatistics Describe(std::span<const double> values, const Resampling& resampling,
                          std::optional<ValueLaw> law = std::nullopt);
/// As above, with separate resamples.
/// @param rollouts  of each trial, as any number.
SampleStatistics Describe(std::span<const double> values, std::span<const std::uint32_t> rollouts,
                          const BootstrapOptions& bootstrap = {});

/// Failures among the trials of one roll-out.
struct FailureCount {
  std::size_t trials = 0;
  std::size_t failed = 0;
};

/// Returns the 95 % Wilson interval of the failure probability; nothing without a trial.
///
/// Trials that share roll-outs count as EffectiveTrials() of the variance R/(R − 1)·Σ(f_r −
/// p·n_r)²/N², between R and N: if the motion decides, the interval is that of R roll-outs. So it
/// is too if none or all failed. With a single roll-out trials count, conditional on it.
std::optional<ConfidenceInterval> FailureRateInterval(std::span<const FailureCount> rollouts);

/// Median and 99 % quantile of a duration.
struct DurationStatistics {
  double median = 0;
  std::optional<double> p99;
  std::size_t n = 0;  ///< Number of durations.

  bool operator==(const DurationStatistics&) const = default;
};

/// Returns nothing without durations.
/// @param durations  finite, in any order and unit.
std::optional<DurationStatistics> DescribeDurations(std::vector<double> durations);

}  // namespace idbench
