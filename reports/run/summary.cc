#include "reports/run/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/run/bound_alarms.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr int kSummaryFormat = 1;

/// The resamples of the last sample that was described: all metrics of a cell share theirs.
class ResamplingOfCell {
 public:
  const Resampling& Of(const std::vector<std::uint32_t>& rollouts) {
    if (!resampling_ || resampling_->rollouts() != rollouts) resampling_.emplace(rollouts);
    return *resampling_;
  }

 private:
  std::optional<Resampling> resampling_;
};

MetricSummary SummariseMetric(const RunMetric& metric, const MetricSamples& samples,
                              ResamplingOfCell& resampling) {
  MetricSummary summary;
  summary.name = metric.name;
  summary.unit = metric.unit;
  summary.count_range = samples.count_range;
  summary.failed = samples.failed;
  summary.first_failure = samples.first_failure;
  summary.reasons = samples.reasons;
  const auto describe = [&](const std::vector<double>& values) {
    return values.empty() ? SampleStatistics()
                          : Describe(values, resampling.Of(samples.rollouts), metric.law);
  };
  if (samples.has_overall) summary.overall = describe(samples.overall);
  for (std::size_t i = 0; i < metric.components.size(); ++i) {
    summary.components.emplace_back(metric.components[i], describe(samples.components[i]));
  }
  return summary;
}

template <class T>
void PutIfPresent(Json& json, const char* key, const std::optional<T>& value) {
  if (value) json[key] = *value;
}

void PutInterval(Json& json, const char* key, const std::optional<ConfidenceInterval>& interval) {
  if (interval) json[key] = Json::array({interval->lower, interval->upper});
}

void PutStatistics(Json& json, const SampleStatistics& statistics) {
  json["n"] = statistics.n;
  PutIfPresent(json, "mean", statistics.mean);
  PutIfPresent(json, "variance", statistics.variance);
  PutIfPresent(json, "median", statistics.median);
  PutIfPresent(json, "iqm", statistics.iqm);
  PutIfPresent(json, "q05", statistics.q05);
  PutIfPresent(json, "q25", statistics.q25);
  PutIfPresent(json, "q75", statistics.q75);
  PutIfPresent(json, "q95", statistics.q95);
  PutIfPresent(json, "min", statistics.min);
  PutIfPresent(json, "max", statistics.max);
  PutInterval(json, "ci95_mean", statistics.ci95_mean);
  PutIfPresent(json, "geometric_mean", statistics.geometric_mean);
  PutInterval(json, "ci95_geometric_mean", statistics.ci95_geometric_mean);
}

Json ToJson(const MetricSummary& metric) {
  Json json = {{"unit", metric.unit}};
  if (metric.overall) PutStatistics(json, *metric.overall);
  if (metric.count_range) {
    json["count"] = {{"min", metric.count_range->first}, {"max", metric.count_range->second}};
  }
  for (const auto& [label, statistics] : metric.components) {
    Json component = {{"label", label}};
    PutStatistics(component, statistics);
    json["components"].push_back(std::move(component));
  }
  return json;
}

void PutDuration(Json& timing, const char* key, const std::optional<DurationStatistics>& duration,
                 const std::optional<double>& allocations) {
  if (!duration) return;
  timing[key] = {{"n", duration->n}, {"median", duration->median}};
  PutIfPresent(timing[key], "p99", duration->p99);
  PutIfPresent(timing[key], "allocations", allocations);
}

Json TimingJson(const EstimatorSummary& estimator) {
  Json timing = Json::object();
  PutDuration(timing, "update_us", estimator.update_us, estimator.update_allocations);
  PutDuration(timing, "estimate_ms", estimator.estimate_ms, estimator.estimate_allocations);
  if (const auto& deadline = estimator.deadline) {
    timing["deadline"] = {{"rate_hz", deadline->rate_hz},
                          {"updates", deadline->updates},
                          {"misses", deadline->misses}};
  }
  return timing;
}

Json ToJson(const EstimatorSummary& estimator) {
  Json json = {{"label", estimator.label},         {"trials", estimator.tally.trials},
               {"failed", estimator.tally.failed}, {"reasons", Json::object()},
               {"metrics", Json::object()},        {"timing", TimingJson(estimator)}};
  PutInterval(json, "failure_rate_ci95", estimator.tally.ci95_failure_rate);
  for (const auto& [outcome, count] : estimator.tally.reasons) json["reasons"][outcome] = count;
  for (const MetricSummary& metric : estimator.metrics) {
    json["metrics"][metric.name] = ToJson(metric);
  }
  for (const auto& [metric, reasons] : estimator.absent) {
    json["absent"][metric] = reasons.front().text;
  }
  if (!estimator.alarms.empty()) json["alarms"] = estimator.alarms;
  return json;
}

}  // namespace

const MetricSummary* EstimatorSummary::Find(const std::string& metric) const {
  const auto found = std::ranges::find(metrics, metric, &MetricSummary::name);
  return found == metrics.end() ? nullptr : &*found;
}

std::vector<std::string> AlarmsOf(const Summary& summary) {
  std::vector<std::string> alarms;
  for (const CellSummary& cell : summary.cells) {
    for (const EstimatorSummary& estimator : cell.estimators) {
      for (const std::string& alarm : estimator.alarms) {
        alarms.push_back(
            summary.cells.size() == 1 ? alarm : fmt::format("{}: {}", cell.cell.Label(), alarm));
      }
    }
  }
  return alarms;
}

Summary Summarise(const RunFolder& folder) {
  const RunManifest& manifest = folder.manifest();
  auto timings = folder.LoadTimings();
  ResamplingOfCell resampling;
  BoundAlarms alarms(manifest);
  Summary summary;
  summary.scenario = manifest.Name();
  for (std::size_t c = 0; c < manifest.cells.size(); ++c) {
    const CellTally& tally = folder.tally(c);
    CellSummary cell = {manifest.cells[c], tally.rollouts,   tally.motions,
                        tally.rollout_set, tally.motion_set, {}};
    for (std::size_t e = 0; e < manifest.estimators.size(); ++e) {
      const TimingSamples& timing = timings[{c, e}];
      const auto [observer, model] = manifest.ObservationAt(e).value_or(RunObservation());
      cell.estimators.push_back({manifest.estimators[e],
                                 manifest.SubjectAt(e),
                                 observer,
                                 model,
                                 manifest.MotionAt(e).value_or(""),
                                 folder.tally(c).estimators[e],
                                 {},
                                 {},
                                 {},
                                 DescribeDurations(timing.update_us),
                                 DescribeDurations(timing.estimate_ms),
                                 timing.update_allocations,
                                 timing.estimate_allocations,
                                 timing.deadline});
    }
    for (const RunMetric& metric : manifest.metrics) {
      const std::vector<MetricSamples> samples = folder.Load(c, metric.name);
      for (std::size_t e = 0; e < samples.size(); ++e) {
        if (!samples[e].applies) {
          if (!samples[e].reasons.empty()) {
            cell.estimators[e].absent.emplace_back(metric.name, samples[e].reasons);
          }
          continue;
        }
        alarms.Add(c, e, metric, samples[e]);
        cell.estimators[e].metrics.push_back(SummariseMetric(metric, samples[e], resampling));
      }
    }
    summary.cells.push_back(std::move(cell));
  }
  for (BoundAlarm& alarm : alarms.Raised()) {
    summary.cells[alarm.cell].estimators[alarm.estimator].alarms.push_back(
        std::move(alarm.sentence));
  }
  return summary;
}

Json ToJson(const Summary& summary) {
  Json cells = Json::array();
  for (const CellSummary& cell : summary.cells) {
    Json axes = Json::object();
    for (const auto& [axis, value] : cell.cell.axes) axes[axis] = value;
    Json estimators = Json::array();
    Json observers = Json::array();
    Json motions = Json::array();
    for (const EstimatorSummary& estimator : cell.estimators) {
      Json described = ToJson(estimator);
      switch (estimator.subject) {
        case MetricSubject::kEstimator:
          estimators.push_back(std::move(described));
          break;
        case MetricSubject::kObserver:
          described["label"] = estimator.observer;
          described["model"] = estimator.model;
          observers.push_back(std::move(described));
          break;
        case MetricSubject::kMotion:
          described["label"] = estimator.experiment;
          motions.push_back(std::move(described));
          break;
      }
    }
    Json of_cell = {{"axes", axes}, {"rollouts", cell.rollouts}};
    if (cell.motions != cell.rollouts) of_cell["shared_motions"] = cell.motions;
    of_cell["estimators"] = std::move(estimators);
    if (!observers.empty()) of_cell["observers"] = std::move(observers);
    if (!motions.empty()) of_cell["motions"] = std::move(motions);
    cells.push_back(std::move(of_cell));
  }
  return {{"format", kSummaryFormat}, {"scenario", summary.scenario}, {"cells", cells}};
}

}  // namespace idbench
