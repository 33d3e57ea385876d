#include "reports/statistics/statistic.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <functional>

namespace idbench {
namespace {

using Failure = StatisticInfo::Failure;
using Unit = StatisticInfo::Unit;

template <auto member>
std::optional<double> Get(const SampleStatistics& samples) {
  return std::invoke(member, samples);
}

std::optional<double> CountFailed(const SampleStatistics& samples) {
  return static_cast<double>(samples.failed);
}

constexpr bool kRanks = true;

constexpr auto kStatistics = std::to_array<StatisticInfo>({
    {Statistic::kMean, "mean", Failure::kLeftOut, Unit::kMetric, kRanks,
     &Get<&SampleStatistics::mean>, &SampleStatistics::ci95_mean},
    {Statistic::kGeometricMean, "geometric mean", Failure::kLeftOut, Unit::kMetric, kRanks,
     &Get<&SampleStatistics::geometric_mean>, &SampleStatistics::ci95_geometric_mean},
    {Statistic::kMedian, "median", Failure::kInfinite, Unit::kMetric, kRanks,
     &Get<&SampleStatistics::median>},
    {Statistic::kInterquartileMean, "interquartile mean", Failure::kInfinite, Unit::kMetric, kRanks,
     &Get<&SampleStatistics::iqm>},
    {Statistic::kQuantile05, "5 % quantile", Failure::kInfinite, Unit::kMetric, kRanks,
     &Get<&SampleStatistics::q05>},
    {Statistic::kQuantile25, "25 % quantile", Failure::kInfinite, Unit::kMetric, kRanks,
     &Get<&SampleStatistics::q25>},
    {Statistic::kQuantile75, "75 % quantile", Failure::kInfinite, Unit::kMetric, kRanks,
     &Get<&SampleStatistics::q75>},
    {Statistic::kQuantile95, "95 % quantile", Failure::kInfinite, Unit::kMetric, kRanks,
     &Get<&SampleStatistics::q95>},
    {Statistic::kLeastValue, "least value", Failure::kLeftOut, Unit::kMetric, kRanks,
     &Get<&SampleStatistics::min>},
    {Statistic::kLargestValue, "largest value", Failure::kLeftOut, Unit::kMetric, kRanks,
     &Get<&SampleStatistics::max>},
    {Statistic::kStandardDeviation, "standard deviation", Failure::kLeftOut, Unit::kMetric, !kRanks,
     &Get<&SampleStatistics::StandardDeviation>},
    {Statistic::kVariance, "variance", Failure::kLeftOut, Unit::kSquare, !kRanks,
     &Get<&SampleStatistics::variance>},
    {Statistic::kRootMeanSquare, "root mean square", Failure::kLeftOut, Unit::kMetric, kRanks,
     &Get<&SampleStatistics::RootMeanSquare>},
    {Statistic::kFailedTrials, "failed trials", Failure::kCounted, Unit::kCount, !kRanks,
     &CountFailed},
});

}  // namespace

const StatisticInfo& InfoOf(Statistic statistic) {
  const auto* const info = std::ranges::find(kStatistics, statistic, &StatisticInfo::statistic);
  assert(info != kStatistics.end());
  return *info;
}

std::optional<double> ValueOf(const SampleStatistics& samples, Statistic statistic) {
  return InfoOf(statistic).value(samples);
}

std::optional<ConfidenceInterval> IntervalOf(const SampleStatistics& samples, Statistic statistic) {
  const auto interval = InfoOf(statistic).interval;
  return interval != nullptr ? samples.*interval : std::nullopt;
}

}  // namespace idbench
