#include "bench/gate/trials_anew.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "bench/gate/baseline.h"
#include "reports/gate/matched_runs.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Without what is done beside the records.
std::vector<Override> Alone(std::vector<Override> overrides) {
  overrides.push_back({"/timing_trials", "0"});
  overrides.push_back({"/keep_series", "[]"});
  return overrides;
}

}  // namespace

TrialsAnew::TrialsAnew(const std::filesystem::path& run, const std::vector<Override>& overrides,
                       const std::filesystem::path& kept, RecordSource records)
    : loaded_(LoadScenarioOf(run, overrides)), kept_(kept), records_(std::move(records)) {}

std::vector<Pairs> TrialsAnew::PairsOf(const std::vector<GateSubject>& subjects) const {
  std::set<std::size_t> cells;
  std::vector<std::string> metrics;
  for (const GateSubject& subject : subjects) {
    cells.insert(subject.cell);
    if (std::ranges::find(metrics, subject.metric.name) == metrics.end()) {
      metrics.push_back(subject.metric.name);
    }
  }
  const auto fresh = SamplesOf(loaded_, cells, metrics, records_);
  std::vector<std::vector<MatchedSamples>> kept;
  for (const std::string& metric : metrics) kept.push_back(MatchRuns(kept_, kept_, metric));
  std::vector<Pairs> pairs;
  for (const GateSubject& subject : subjects) {
    const auto metric =
        static_cast<std::size_t>(std::ranges::find(metrics, subject.metric.name) - metrics.begin());
    const auto cell =
        static_cast<std::size_t>(std::distance(cells.begin(), cells.find(subject.cell)));
    const auto before = std::ranges::find_if(kept[metric], [&](const MatchedSamples& samples) {
      return samples.a_label == subject.estimator && samples.cell.axes == subject.axes;
    });
    if (before == kept[metric].end()) {
      throw ConfigError((kept_.directory() / "records.jsonl").string(), "",
                        fmt::format("no {} of {}", subject.metric.name, subject.estimator),
                        {"make the baseline again with --write-baseline"});
    }
    const MetricSamples& now = fresh[metric][cell][LabelIndex(subject.estimator)];
    pairs.push_back(MakePairs(before->a.overall, now.overall, before->a.rollouts,
                              subject.metric.better, before->interval_scale));
  }
  return pairs;
}

std::size_t TrialsAnew::LabelIndex(const std::string& estimator) const {
  const std::vector<std::string> labels = ManifestAsRead(loaded_).estimators;
  return static_cast<std::size_t>(std::ranges::find(labels, estimator) - labels.begin());
}

std::vector<Override> FurtherTrials(const Scenario& run, std::int64_t trials) {
  const std::int64_t next = run.seeds().DrawOf(run.trial_count());
  return Alone({{"/first_trial", std::to_string(next)}, {"/trials", std::to_string(trials)}});
}

std::vector<Override> TrialsOfReserve(const RunManifest& manifest) {
  std::vector<Override> overrides;
  for (const char* key : {"seed", "noise_seed", "first_trial", "trials"}) {
    overrides.push_back({PointerTo("", key), manifest.scenario->value(key, Json()).dump()});
  }
  return Alone(std::move(overrides));
}

}  // namespace idbench
