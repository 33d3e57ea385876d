#pragma once

#include <optional>
#include <string_view>

#include "reports/statistics/statistics.h"
#include "scenarios/options/enum_names.h"

namespace idbench {

/// A statistic that a table can show.
enum class Statistic {
  kMean,
  kGeometricMean,
  kMedian,
  kInterquartileMean,
  kQuantile05,
  kQuantile25,
  kQuantile75,
  kQuantile95,
  kLeastValue,
  kLargestValue,
  kStandardDeviation,
  kVariance,
  kRootMeanSquare,
  kFailedTrials,
};
template <>
inline constexpr auto kEnumNames<Statistic> =
    std::to_array<EnumName<Statistic>>({{Statistic::kMean, "mean"},
                                        {Statistic::kGeometricMean, "geometric_mean"},
                                        {Statistic::kMedian, "median"},
                                        {Statistic::kInterquartileMean, "iqm"},
                                        {Statistic::kQuantile05, "q05"},
                                        {Statistic::kQuantile25, "q25"},
                                        {Statistic::kQuantile75, "q75"},
                                        {Statistic::kQuantile95, "q95"},
                                        {Statistic::kLeastValue, "min"},
                                        {Statistic::kLargestValue, "max"},
                                        {Statistic::kStandardDeviation, "sd"},
                                        {Statistic::kVariance, "variance"},
                                        {Statistic::kRootMeanSquare, "rms"},
                                        {Statistic::kFailedTrials, "failed"}});

/// All about a statistic.
struct StatisticInfo {
  /// What a failed trial is in it.
  enum class Failure { kLeftOut, kInfinite, kCounted };
  /// Its unit: that of the metric, its square, or none.
  enum class Unit { kMetric, kSquare, kCount };

  Statistic statistic;
  std::string_view words;  ///< As a note calls it: "interquartile mean".
  Failure failure;
  Unit unit;
  bool ranks;  ///< The better its value, the better an estimator.
  std::optional<double> (*value)(const SampleStatistics&);
  /// Its 95 % interval; nullptr: it has none.
  std::optional<ConfidenceInterval> SampleStatistics::*interval = nullptr;
};

/// Returns the row of a statistic.
const StatisticInfo& InfoOf(Statistic statistic);

/// Returns the value of a statistic; nothing where there are too few samples for it.
std::optional<double> ValueOf(const SampleStatistics& samples, Statistic statistic);

/// Returns the 95 % interval of a statistic; nothing if it has none.
std::optional<ConfidenceInterval> IntervalOf(const SampleStatistics& samples, Statistic statistic);

}  // namespace idbench
