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

/// Change of a series, with the means of the pieces before and after it.
struct TrendChange {
  std::size_t run = 0;  ///< Index of the first run after it.
  double before = 0;
  double after = 0;
};

/// One value run by run.
struct TrendSeries {
  TrendKey key;
  std::vector<std::optional<TrendPoint>> points;  ///< One per run; nothing for a run without it.
  std::vector<TrendChange> changes;

  /// Returns the mean of a metric, the median of a duration.
  static std::optional<double> ValueOf(const TrendPoint& point, bool duration);
  bool duration() const { return key.metric == kEstimateTime || key.metric == kUpdateTime; }
};

/// History of a scenario's headline and durations.
struct ScenarioTrend {
  std::string scenario;
  std::string headline;
  /// Oldest first: the latest kTrendRuns of the scenario in the newest run's version. Runs of
  /// another version have other records, and are left out.
  std::vector<HistoryRun> runs;
  std::size_t left_out = 0;
  std::vector<TrendSeries> series;  ///< By metric (headline first), cell and estimator.
};

/// Returns the trends of all scenarios of a history. ChangePoints finds the changes; for durations
/// in their logarithms, because noise scales them.
std::vector<ScenarioTrend> Trends(const History& history);

}  // namespace idbench
