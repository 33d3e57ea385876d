#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/history/history.h"

namespace idbench {

/// Number of latest runs of a scenario that a trend shows.
inline constexpr std::int64_t kTrendRuns = 100;

/// Least change of a metric that is shown, relative to the larger of the two levels. A metric is
/// the same every night unless the code changes, so its steps are certain; below 1 % nobody acts on
/// one.
inline constexpr double kLeastMetricChange = 0.01;
/// Likewise of a duration: the layout of code and memory moves it by a few percent between builds
/// (Mytkowicz et al., ASPLOS 2009), whatever the change was about.
inline constexpr double kLeastDurationChange = 0.05;
/// Fewest runs of a version of a scenario that takes the place of an earlier version in a trend: as
/// many as the shortest piece of a series has.
inline constexpr std::size_t kFewestRunsOfVersion = 3;

/// Change of a series, with the means of the pieces before and after it.
struct TrendChange {
  std::size_t run = 0;  ///< Index of the first run after it.
  double before = 0;
  double after = 0;
};

/// One value run by run, on one machine.
///
/// Durations of another processor or another set of kernels are another series. A metric does not
/// depend on the clock: machines whose floating-point arithmetic has one fingerprint compute the
/// same records, so they share a series; with another fingerprint begins another one.
struct TrendSeries {
  TrendKey key;
  std::string machine;  ///< "Xeon, avx2" of a duration, the fingerprint of a metric.
  std::vector<std::optional<TrendPoint>> points;  ///< One per run; nothing for a run without it.
  std::vector<TrendChange> changes;
  std::optional<double> p;  ///< See SeriesChanges; nothing for too few values.

  /// Returns the mean of a metric, the median of a duration.
  static std::optional<double> ValueOf(const TrendPoint& point, bool duration);
  bool duration() const { return key.metric == kEstimateTime || key.metric == kUpdateTime; }
};

/// History of a scenario's headline and durations.
struct ScenarioTrend {
  std::string scenario;
  std::string headline;
  /// Oldest first: the latest kTrendRuns of one version of the scenario. Runs of another version
  /// have other records, and are left out. The version is the newest with kFewestRunsOfVersion runs
  /// (one try of an edited scenario does not hide the nights), else that with most runs.
  std::vector<HistoryRun> runs;
  std::size_t left_out = 0;
  std::vector<TrendSeries> series;  ///< By metric (headline first), cell, estimator and machine.
};

/// Returns the trends of all scenarios of a history. ChangePoints finds the changes; for durations
/// in their logarithms, because noise scales them. Only changes of kLeastMetricChange and
/// kLeastDurationChange are told, and only those of series whose p, adjusted by Holm over the
/// series of all scenarios, is at most kChangeAlarmRate: that is the probability of any false
/// alarm.
std::vector<ScenarioTrend> Trends(const History& history);

}  // namespace idbench
