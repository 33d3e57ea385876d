#include "reports/history/trend.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "reports/statistics/change_points.h"
#include "reports/statistics/holm.h"

namespace idbench {
namespace {

/// Mean of the values of each piece.
std::vector<double> LevelsOf(std::span<const double> values,
                             const std::vector<std::size_t>& places) {
  std::vector<double> levels;
  for (std::size_t piece = 0; piece <= places.size(); ++piece) {
    const std::size_t begin = piece == 0 ? 0 : places[piece - 1];
    const std::size_t end = piece == places.size() ? values.size() : places[piece];
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += values[i];
    levels.push_back(sum / static_cast<double>(end - begin));
  }
  return levels;
}

/// Relative change from one level to another, of durations those of their logarithms.
double SizeOf(double before, double after, bool duration) {
  const double change = std::abs(after - before);
  if (duration) return std::expm1(change);
  return change == 0 ? 0 : change / std::max(std::abs(before), std::abs(after));
}

/// Joins pieces whose levels are too much alike to be told apart, the most alike first.
void JoinAlike(std::span<const double> values, bool duration, std::vector<std::size_t>& places) {
  const double least_told = duration ? kLeastDurationChange : kLeastMetricChange;
  while (!places.empty()) {
    const std::vector<double> levels = LevelsOf(values, places);
    std::vector<double> sizes;
    for (std::size_t k = 0; k < places.size(); ++k) {
      sizes.push_back(SizeOf(levels[k], levels[k + 1], duration));
    }
    const auto least = std::ranges::min_element(sizes);
    if (*least >= least_told) return;
    places.erase(places.begin() + (least - sizes.begin()));
  }
}

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
  if (values.size() < ChangePoints::kFewestValues) return;
  SeriesChanges found = finder.Find(values);
  series.p = found.p;
  JoinAlike(values, series.duration(), found.places);
  std::vector<double> levels = LevelsOf(values, found.places);
  if (series.duration())
    std::ranges::transform(levels, levels.begin(), [](double x) { return std::exp(x); });
  for (std::size_t k = 0; k < found.places.size(); ++k) {
    series.changes.push_back({runs[found.places[k]], levels[k], levels[k + 1]});
  }
}

/// Leaves the runs of the version that a trend shows.
/// @param runs  of a scenario, newest first.
void ChooseVersion(std::vector<HistoryRun>& runs) {
  std::map<std::string, std::size_t> counts;
  for (const HistoryRun& run : runs) ++counts[run.scenario_hash];
  const auto count = [&](const HistoryRun& run) { return counts.at(run.scenario_hash); };
  auto chosen = std::ranges::find_if(
      runs, [&](const HistoryRun& run) { return count(run) >= kFewestRunsOfVersion; });
  if (chosen == runs.end()) chosen = std::ranges::max_element(runs, {}, count);
  std::erase_if(runs, [hash = chosen->scenario_hash](const HistoryRun& run) {
    return run.scenario_hash != hash;
  });
}

std::string MachineOf(const HistoryRun& run, bool duration) {
  return duration ? run.processor + ", " + run.kernel : run.fingerprint;
}

/// Reads the values of all runs.
void CollectSeries(const History& history, const std::vector<std::string>& metrics,
                   ScenarioTrend& trend) {
  for (std::size_t run = 0; run < trend.runs.size(); ++run) {
    for (const auto& [key, point] : history.Values(trend.runs[run].id, metrics)) {
      TrendSeries here{key, "", {}, {}, std::nullopt};
      here.machine = MachineOf(trend.runs[run], here.duration());
      auto series = std::ranges::find_if(trend.series, [&](const TrendSeries& known) {
        return known.key == here.key && known.machine == here.machine;
      });
      if (series == trend.series.end()) {
        here.points.resize(trend.runs.size());
        series = trend.series.insert(series, std::move(here));
      }
      series->points[run] = point;
    }
  }
}

ScenarioTrend TrendOf(const History& history, const std::string& scenario, ChangePoints& finder) {
  ScenarioTrend trend;
  trend.scenario = scenario;
  trend.runs = history.Runs(scenario);
  const std::size_t all = trend.runs.size();
  ChooseVersion(trend.runs);
  trend.left_out = all - trend.runs.size();
  trend.headline = trend.runs.front().headline;
  if (trend.runs.size() > kTrendRuns) trend.runs.resize(kTrendRuns);
  std::ranges::reverse(trend.runs);

  const std::vector<std::string> metrics = {trend.headline, kEstimateTime, kUpdateTime};
  CollectSeries(history, metrics, trend);
  std::ranges::stable_sort(trend.series, {}, [&metrics](const TrendSeries& series) {
    return std::pair(std::ranges::find(metrics, series.key.metric) - metrics.begin(),
                     series.key.cell);
  });
  for (TrendSeries& series : trend.series) FindChanges(series, finder);
  return trend;
}

/// Forgets the changes of series that chance explains, in view of how many there are.
void ForgetChance(std::vector<ScenarioTrend>& trends) {
  std::vector<TrendSeries*> tested;
  std::vector<double> p;
  for (ScenarioTrend& trend : trends) {
    for (TrendSeries& series : trend.series) {
      if (!series.p) continue;
      tested.push_back(&series);
      p.push_back(*series.p);
    }
  }
  const std::vector<double> adjusted = HolmAdjusted(p);
  for (std::size_t i = 0; i < tested.size(); ++i) {
    if (adjusted[i] > kChangeAlarmRate) tested[i]->changes.clear();
  }
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
  ForgetChance(trends);
  return trends;
}

}  // namespace idbench
