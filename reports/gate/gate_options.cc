#include "reports/gate/gate_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/run/metric_name.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr double kMustFindTolerances = 2;

constexpr const char* kBetterDoc =
    "Values of the metric that count as better; null: as its definition says";

/// A change that must be found and is no regression would be a contradiction.
void CheckMustFind(double tolerance, std::optional<double> must_find, const std::string& pointer,
                   std::vector<Issue>& issues) {
  if (!must_find || *must_find > tolerance) return;
  issues.push_back({pointer,
                    fmt::format("{:g} is not above the tolerance, {:g}", *must_find, tolerance),
                    {"a change of the tolerance is no regression; twice as much is usual"}});
}

GateOptions Declared(const RunManifest& manifest, const std::string& root,
                     std::vector<Issue>& issues) {
  GateOptions options;
  if (const auto gate = manifest.scenario->find("gate");
      gate != manifest.scenario->end() && !gate->is_null()) {
    ReadFields(Visit(options), *gate, root + "/gate", issues);
  }
  return options;
}

/// What a run without a word of it is judged by: the first of its headline metrics that ranks
/// estimators, which is of data that were held out where some were: of training data least squares
/// has the least residual, whatever else it has. A run without one: the first that ranks what
/// observers found, else its first metric.
/// Metrics of an interval scale, which have no relative tolerance, come last.
std::string UsualMetric(const RunManifest& manifest) {
  const auto first = [&manifest](bool headline) -> const RunMetric* {
    for (const MetricSubject subject :
         {MetricSubject::kEstimator, MetricSubject::kObserver, MetricSubject::kMotion}) {
      const auto ranks = std::ranges::find_if(manifest.metrics, [&](const RunMetric& metric) {
        return metric.subject() == subject && metric.headline >= headline && metric.better &&
               !metric.interval_scale && MetricName(metric.name).checkpoint.empty();
      });
      if (ranks != manifest.metrics.end()) return &*ranks;
    }
    return nullptr;
  };
  if (const RunMetric* const usual = first(true)) return usual->name;
  if (manifest.metrics.empty()) return "";
  const RunMetric* const other = manifest.metrics.front().interval_scale ? first(false) : nullptr;
  return other != nullptr ? other->name : manifest.metrics.front().name;
}

bool IsOnIntervalScale(const RunManifest& manifest, const std::string& metric) {
  const auto found = std::ranges::find(manifest.metrics, metric, &RunMetric::name);
  return found != manifest.metrics.end() && found->interval_scale;
}

/// Appends an issue unless what is said of a metric's tolerance fits its scale.
void CheckScale(const RunMetric& metric, const GateMetricOptions& said, const GateChoices& choices,
                const std::string& where, std::vector<Issue>& issues) {
  if (!choices.tolerates) return;
  if (!metric.interval_scale) {
    if (!said.absolute_tolerance) return;
    issues.push_back(
        {where,
         fmt::format("absolute_tolerance is for metrics whose ratios mean nothing, and "
                     "{} has ratios",
                     metric.name),
         {"give a relative change as \"tolerance\""}});
    return;
  }
  if (said.absolute_tolerance && !said.tolerance && !choices.tolerance) return;
  issues.push_back(
      {where,
       fmt::format("the 0 of {} is a choice, so that ratios of it mean nothing: it has no relative "
                   "tolerance",
                   metric.name),
       {fmt::format("give a change that is no regression, in its unit: \"gate\": {{\"metrics\": "
                    "{{\"{}\": {{\"absolute_tolerance\": 1}}}}}}",
                    metric.name),
        "or gate another metric"}});
}

/// The declared metrics with what the call says in their place; one without a name is
/// UsualMetric().
Labelled<GateMetricOptions> ChosenMetrics(const GateOptions& options, const GateChoices& choices,
                                          const RunManifest& manifest) {
  Labelled<GateMetricOptions> metrics = options.metrics;
  if (metrics.empty()) {
    metrics.emplace_back(options.metric.empty() ? UsualMetric(manifest) : options.metric,
                         GateMetricOptions{.better = options.better});
  }
  if (choices.metric) {
    const auto same = std::ranges::find(metrics, *choices.metric,
                                        &std::pair<std::string, GateMetricOptions>::first);
    const GateMetricOptions said = same == metrics.end() ? GateMetricOptions{} : same->second;
    metrics.assign(1, {*choices.metric, said});
  }
  if (choices.better && metrics.size() == 1) metrics[0].second.better = choices.better;
  return metrics;
}

std::vector<std::string> NamesOf(const Labelled<GateMetricOptions>& metrics) {
  std::vector<std::string> names;
  for (const auto& [name, said] : metrics) names.push_back(name);
  return names;
}

/// Fills in what is said of a metric.
GateMetric Resolve(const std::string& name, const GateMetricOptions& said,
                   const GateOptions& options, const GateChoices& choices, bool interval_scale) {
  GateMetric metric{.name = name};
  metric.better = said.better.value_or(Better::kLower);
  if (interval_scale) {
    metric.absolute = true;
    metric.tolerance = said.absolute_tolerance.value_or(0.0);
    metric.must_find = said.must_find.value_or(kMustFindTolerances * metric.tolerance);
    return metric;
  }
  metric.tolerance = said.tolerance.value_or(options.tolerance);
  std::optional<double> must_find = said.must_find;
  if (!must_find && !said.tolerance) must_find = options.must_find;
  if (choices.tolerance) {
    metric.tolerance = *choices.tolerance;
    must_find.reset();
  }
  metric.must_find = must_find.value_or(kMustFindTolerances * metric.tolerance);
  return metric;
}

}  // namespace

FieldTable Visit(GateMetricOptions& o) {
  FieldTable table;
  table.Add("better", o.better, {.doc = kBetterDoc})
      .Add("tolerance", o.tolerance,
           {.doc = "Relative change for the worse that is no regression; null: that of the gate",
            .lower = 0.0,
            .upper = kMostTolerance,
            .lower_open = true})
      .Add("absolute_tolerance", o.absolute_tolerance,
           {.doc = "Change for the worse, in its unit, that is no regression, of a metric whose "
                   "ratios mean nothing, as those of a logarithm; null: none",
            .lower = 0.0,
            .lower_open = true})
      .Add("must_find", o.must_find,
           {.doc = "Change for the worse that four of five gates find, relative, or in its unit as "
                   "absolute_tolerance is; null: that of the gate, twice the tolerance if this has "
                   "its own",
            .lower = 0.0,
            .lower_open = true})
      .Check([&o](std::vector<Issue>& issues) {
        const auto& tolerance = o.absolute_tolerance ? o.absolute_tolerance : o.tolerance;
        if (tolerance) CheckMustFind(*tolerance, o.must_find, "/must_find", issues);
      });
  return table;
}

FieldTable Visit(GateOptions& o) {
  FieldTable table;
  table
      .Add(
          "metric", o.metric,
          {.doc =
               "Metric to judge for each cell and estimator, in full: name, name@experiment or "
               "name@experiment@t=5; empty: the first headline metric of the run that ranks "
               "estimators, as the torque error on held-out data, or without one the first of all"})
      .Add("better", o.better, {.doc = kBetterDoc})
      .Add("metrics", o.metrics,
           {.doc = "Several metrics to judge, by name, in place of `metric` and `better`"})
      .Add("tolerance", o.tolerance,
           {.doc = "Relative change for the worse that is no regression, however certain it is",
            .lower = 0.0,
            .upper = kMostTolerance,
            .lower_open = true})
      .Add("must_find", o.must_find,
           {.doc = "Relative change for the worse that four of five gates find: what the number of "
                   "trials is asked for; null: twice the tolerance",
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
           {.doc = "Further trials, behind those of the run, that a baseline keeps to confirm what "
                   "was flagged; null: as many as trials",
            .lower = 2})
      .Check([&o](std::vector<Issue>& issues) {
        CheckMustFind(o.tolerance, o.must_find, "/must_find", issues);
        if (o.metrics.empty() || (o.metric.empty() && !o.better)) return;
        issues.push_back({"/metrics",
                          "stands beside /metric or /better",
                          {"name each metric in /metrics alone, with its own \"better\""}});
      });
  return table;
}

GateRules GateRulesOf(const RunManifest& manifest, const std::string& source,
                      const GateChoices& choices, const std::string& root) {
  std::vector<Issue> issues;
  const GateOptions options = Declared(manifest, root, issues);
  GateRules rules{.metrics = {},
                  .failure_tolerance = options.failure_tolerance,
                  .time_tolerance = options.time_tolerance,
                  .alpha = choices.alpha.value_or(options.alpha),
                  .reserve_trials = options.reserve_trials};
  std::vector<std::string> names;
  for (const RunMetric& metric : manifest.metrics) names.push_back(metric.name);
  if (names.empty()) issues.push_back({"/metrics", "none: there is nothing to gate", {}});
  for (auto& [name, said] : ChosenMetrics(options, choices, manifest)) {
    if (names.empty()) break;
    const bool listed = !options.metrics.empty() && !choices.metric;
    const std::string where =
        listed ? PointerTo(root + "/gate/metrics", name) : root + "/gate/metric";
    const auto found = std::ranges::find(manifest.metrics, name, &RunMetric::name);
    if (found == manifest.metrics.end()) {
      issues.push_back(
          {where, "the run has no metric \"" + name + "\"", AcceptedNames(name, names)});
      continue;
    }
    GateMetricOptions resolved = said;
    if (!resolved.better) resolved.better = found->better;
    if (!resolved.better) {
      issues.push_back({listed ? where + "/better" : root + "/gate/better",
                        name + " does not say which of its values are better",
                        {"say \"lower\" or \"higher\", or gate another metric"}});
      continue;
    }
    CheckScale(*found, said, choices, where, issues);
    rules.metrics.push_back(Resolve(name, resolved, options, choices, found->interval_scale));
  }
  if (!issues.empty()) throw ConfigError(source, issues);
  return rules;
}

std::size_t MostMembers(const GateRules& rules, const RunManifest& manifest) {
  std::size_t members = 0;
  for (const GateMetric& metric : rules.metrics) {
    const auto listed = std::ranges::find(manifest.metrics, metric.name, &RunMetric::name);
    members += manifest.cells.size() * manifest.Labels(listed->subject()).size();
  }
  return members;
}

std::vector<std::string> MissingGateMetrics(const RunManifest& manifest, const std::string& source,
                                            const GateChoices& choices) {
  std::vector<Issue> issues;
  const GateOptions options = Declared(manifest, "/scenario", issues);
  if (!issues.empty()) throw ConfigError(source, issues);
  std::vector<std::string> missing = NamesOf(ChosenMetrics(options, choices, manifest));
  std::erase_if(missing, [&manifest](const std::string& name) {
    return std::ranges::find(manifest.metrics, name, &RunMetric::name) != manifest.metrics.end();
  });
  return missing;
}

std::string WhyOtherRules(const RunManifest& run, const RunManifest& baseline,
                          const GateChoices& choices) {
  std::vector<Issue> issues;
  const GateOptions here = Declared(run, "/scenario", issues);
  const GateOptions there = Declared(baseline, "/scenario", issues);
  if (!issues.empty()) throw ConfigError("manifest.json", issues);
  const auto metrics_here = ChosenMetrics(here, choices, run);
  const auto metrics_there = ChosenMetrics(there, choices, baseline);
  if (NamesOf(metrics_here) != NamesOf(metrics_there)) {
    return fmt::format("the gate's metrics are {} here, {} in the baseline",
                       ListSome(NamesOf(metrics_here)), ListSome(NamesOf(metrics_there)));
  }
  for (std::size_t i = 0; i < metrics_here.size(); ++i) {
    const auto& [name, said_there] = metrics_there[i];
    const bool interval_scale = IsOnIntervalScale(run, name) || IsOnIntervalScale(baseline, name);
    const GateMetric a = Resolve(name, said_there, there, choices, interval_scale);
    const GateMetric b = Resolve(name, metrics_here[i].second, here, choices, interval_scale);
    if (a == b) continue;
    return fmt::format(
        "of {}, {} values are better, {:g} is the tolerance and {:g} must be found here; {}, {:g} "
        "and {:g} in the baseline",
        b.name, ToString(b.better), b.tolerance, b.must_find, ToString(a.better), a.tolerance,
        a.must_find);
  }
  if (here.failure_tolerance != there.failure_tolerance) {
    return fmt::format("the gate's failure_tolerance is {:g} here, {:g} in the baseline",
                       here.failure_tolerance, there.failure_tolerance);
  }
  if (!choices.alpha && here.alpha != there.alpha) {
    return fmt::format("the gate's alpha is {:g} here, {:g} in the baseline", here.alpha,
                       there.alpha);
  }
  return "";
}

}  // namespace idbench
