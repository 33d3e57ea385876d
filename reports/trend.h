#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/history.h"

namespace idbench {

/// Latest runs of a scenario that a trend shows.
inline constexpr std::int64_t kTrendRuns = 100;

/// A change of a series: before and after it, the means of the pieces.
struct TrendChange {
  std::size_t run = 0;  ///< Index of the first run after it.
  double before = 0;
  double after = 0;
};

/// One value run by run.
struct TrendSeries {
  TrendKey key;
  std::vector<std::optional<TrendPoint>> points;  ///< One for each run; nothing where it has none.
  std::vector<TrendChange> changes;

  /// The mean of a metric, the median of a duration.
  static std::optional<double> ValueOf(const TrendPoint& point, bool duration);
  bool duration() const { return key.metric == kEstimateTime || key.metric == kUpdateTime; }
};

/// How a scenario's headline and its durations went.
struct ScenarioTrend {
  std::string scenario;
  std::string headline;
  /// Oldest first: the latest kTrendRuns of the scenario as the newest run has it. Runs of another
  /// version of it have other records, and are left out.
  std::vector<HistoryRun> runs;
  std::size_t left_out = 0;
  std::vector<TrendSeries> series;  ///< By metric (headline first), cell and estimator.
};

/// The trends of all scenarios of a history. Changes are those that ChangePoints finds; of
/// durations, in their logarithms, because noise scales them.
std::vector<ScenarioTrend> Trends(const History& history);

}  // namespace idbench
