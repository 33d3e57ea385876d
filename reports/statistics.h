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

/// Fewest samples for which a statistic is stated; below, it is absent. See kFewestForInterval too.
inline constexpr std::size_t kFewestForQuartiles = 4;
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
  std::optional<double> q25;
  std::optional<double> q75;
  std::optional<double> q95;
  std::optional<double> min;
  std::optional<double> max;
  /// 95 % interval of the mean, see Resampling::MeanInterval().
  std::optional<ConfidenceInterval> ci95_mean;
  /// exp of the mean logarithm, where all survivors are positive: what ratios are compared by.
  std::optional<double> geometric_mean;
  std::optional<ConfidenceInterval> ci95_geometric_mean;  ///< exp of the interval of that mean.

  /// The square root of the variance.
  std::optional<double> StandardDeviation() const;
  /// √(Σx²/n): of errors without a sign, what a bound on a standard deviation is compared with.
  std::optional<double> RootMeanSquare() const;

  bool operator==(const SampleStatistics&) const = default;
};

/// @param values      one per trial; one that is not finite is a failure.
/// @param resampling  of the roll-outs of these trials.
/// @throws std::invalid_argument if the sizes differ.
SampleStatistics Describe(std::span<const double> values, const Resampling& resampling);
/// The same with resamples of its own. @param rollouts  of each trial, as any number.
SampleStatistics Describe(std::span<const double> values, std::span<const std::uint32_t> rollouts,
                          const BootstrapOptions& bootstrap = {});

/// Names of the statistics that Statistic() knows: mean, geometric_mean, median, iqm, q05, q25,
/// q75, q95, min, max, sd, variance, rms, failed.
const std::vector<std::string>& StatisticNames();

/// The 95 % interval of the statistic of that name; nothing for one without.
std::optional<ConfidenceInterval> StatisticInterval(const SampleStatistics& statistics,
                                                    std::string_view name);

/// One statistic by its name. @throws std::invalid_argument for an unknown name.
std::optional<double> Statistic(const SampleStatistics& statistics, std::string_view name);

/// Failures among the trials of one roll-out.
struct FailureCount {
  std::size_t trials = 0;
  std::size_t failed = 0;
};

/// 95 % Wilson interval of the probability of a failure; nothing without a trial.
///
/// Trials that share roll-outs count for N/d, d the ratio of the variance between roll-outs
/// R/(R − 1)·Σ(f_r − p·n_r)² to the binomial N·p·(1 − p) (Kish's design effect, between 1 and N/R):
/// where the motion decides, the interval is that of R roll-outs. It is so too where nothing or all
/// failed, which tells no d. With a single roll-out trials count, conditional on it.
std::optional<ConfidenceInterval> FailureRateInterval(std::span<const FailureCount> rollouts);

/// Median and 99 % quantile of a duration.
struct DurationStatistics {
  double median = 0;
  std::optional<double> p99;

  bool operator==(const DurationStatistics&) const = default;
};

/// Nothing for no durations. @param durations  finite, in any order and unit.
std::optional<DurationStatistics> DescribeDurations(std::vector<double> durations);

}  // namespace idbench
