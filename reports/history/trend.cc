#include "reports/history/trend.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "reports/statistics/change_points.h"

namespace idbench {
namespace {

/// Marks where the series changes.
void FindChanges(TrendSeries& series, ChangePoints& finder) {
  std::vector<double> values;
  std::vector<std::size_t> runs;
  for (std::size_t run = 0; run < series.points.size(); ++run) {
    if (!series.points[run]) continue;
    const auto value = TrendSeries::ValueOf(*series.points[run], series.duration());
    if (!value || !std::isfinite(*value) || (series.duration() && *value <= 0)) continue;
    values.push_back(series.duration() ? std::log(*value) : *value);
    runs.push_back(run);
  }
  std::vector<std::size_t> places = finder.Find(values);
  places.insert(places.begin(), 0);
  places.push_back(values.size());
  const auto mean = [&](std::size_t piece) {
    double sum = 0;
    for (std::size_t i = places[piece]; i < places[piece + 1]; ++i) sum += values[i];
    const double level = sum / static_cast<double>(places[piece + 1] - places[piece]);
    return series.duration() ? std::exp(level) : level;
  };
  for (std::size_t piece = 1; piece + 1 < places.size(); ++piece) {
    series.changes.push_back({runs[places[piece]], mean(piece - 1), mean(piece)});
  }
}

ScenarioTrend TrendOf(const History& history, const std::string& scenario, ChangePoints& finder) {
  ScenarioTrend trend;
  trend.scenario = scenario;
  std::vector<HistoryRun> runs = history.Runs(scenario);
  const std::size_t all = runs.size();
  trend.headline = runs.front().headline;
  std::erase_if(runs, [hash = runs.front().scenario_hash](const HistoryRun& run) {
    return run.scenario_hash != hash;
  });
  trend.left_out = all - runs.size();
  if (runs.size() > kTrendRuns) runs.resize(kTrendRuns);
  std::ranges::reverse(runs);
  trend.runs = std::move(runs);

  const std::vector<std::string> metrics = {trend.headline, kEstimateTime, kUpdateTime};
  for (std::size_t run = 0; run < trend.runs.size(); ++run) {
    for (const auto& [key, point] : history.Values(trend.runs[run].id, metrics)) {
      auto series = std::ranges::find(trend.series, key, &TrendSeries::key);
      if (series == trend.series.end()) {
        series = trend.series.insert(series, {key, {}, {}});
        series->points.resize(trend.runs.size());
      }
      series->points[run] = point;
    }
  }
  std::ranges::stable_sort(trend.series, {}, [&metrics](const TrendSeries& series) {
    return std::pair(std::ranges::find(metrics, series.key.metric) - metrics.begin(),
                     series.key.cell);
  });
  for (TrendSeries& series : trend.series) FindChanges(series, finder);
  return trend;
}

}  // namespace

std::optional<double> TrendSeries::ValueOf(const TrendPoint& point, bool duration) {
  return duration ? point.median : point.mean;
}

std::vector<ScenarioTrend> Trends(const History& history) {
  std::vector<ScenarioTrend> trends;
  ChangePoints finder;
  for (const std::string& scenario : history.Scenarios()) {
    trends.push_back(TrendOf(history, scenario, finder));
  }
  return trends;
}

}  // namespace idbench
