#include "reports/gate/gate_options.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "scenarios/options/json.h"

namespace idbench {

FieldTable Visit(GateOptions& o) {
  FieldTable table;
  table
      .Add("metric", o.metric,
           {.doc = "Metric to judge for each cell and estimator, in full: name, name@experiment or "
                   "name@experiment@t=5; empty: the first metric of the run"})
      .Add(
          "better", o.better,
          {.doc = "Values of the metric that count as better; null: as its definition says, or the "
                  "lower ones if it says nothing"})
      .Add("tolerance", o.tolerance,
           {.doc = "Relative change for the worse that is no regression, however certain it is",
            .lower = 0.0,
            .lower_open = true})
      .Add("failure_tolerance", o.failure_tolerance,
           {.doc = "Increase of the failure rate that is no regression",
            .lower = 0.0,
            .upper = 1.0,
            .lower_open = true})
      .Add("time_tolerance", o.time_tolerance,
           {.doc = "Relative increase of a duration that is no regression (gate --against)",
            .lower = 0.0,
            .lower_open = true})
      .Add("alpha", o.alpha,
           {.doc = "Greatest probability of any false alarm among all cells and estimators",
            .lower = 1e-6,
            .upper = 0.5})
      .Add("reserve_trials", o.reserve_trials,
           {.doc = "Trials with a seed of their own that a baseline keeps to confirm what was "
                   "flagged; null: as many as trials",
            .lower = 2});
  return table;
}

Better BetterOf(const RunManifest& manifest, const std::string& metric) {
  const auto found = std::ranges::find(manifest.metrics, metric, &RunMetric::name);
  return found == manifest.metrics.end() ? Better::kLower : found->better.value_or(Better::kLower);
}

GateOptions GateOptionsOf(const RunManifest& manifest, const std::string& source) {
  GateOptions options;
  std::vector<Issue> issues;
  if (const auto gate = manifest.scenario->find("gate");
      gate != manifest.scenario->end() && !gate->is_null()) {
    ReadFields(Visit(options), *gate, "/scenario/gate", issues);
  }
  std::vector<std::string> names;
  for (const RunMetric& metric : manifest.metrics) names.push_back(metric.name);
  if (names.empty()) {
    issues.push_back({"/metrics", "none: there is nothing to gate", {}});
  } else if (options.metric.empty()) {
    options.metric = names.front();
  } else if (std::ranges::find(names, options.metric) == names.end()) {
    issues.push_back({"/scenario/gate/metric", "the run has no metric \"" + options.metric + "\"",
                      AcceptedNames(options.metric, names)});
  }
  if (!issues.empty()) throw ConfigError(source, issues);
  if (!options.better) options.better = BetterOf(manifest, options.metric);
  return options;
}

}  // namespace idbench
