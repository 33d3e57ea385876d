#include "scenarios/metric_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "reports/run/metric_name.h"
#include "scenarios/metric_list.h"

namespace idbench {
namespace {

template <class T>
std::vector<std::string> LabelsOf(const Labelled<T>& labelled) {
  std::vector<std::string> labels;
  for (const auto& [label, value] : labelled) labels.push_back(label);
  return labels;
}

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// The issue that there is no such thing as `name`.
/// @param cure  where nothing of that kind is declared.
Issue Unknown(const std::string& where, const char* what, const std::string& name,
              const std::vector<std::string>& accepted, const char* cure) {
  std::vector<std::string> details = {cure};
  if (!accepted.empty()) details = AcceptedNames(name, accepted);
  return {where, fmt::format("no such {}: \"{}\"", what, name), std::move(details)};
}

std::optional<Issue> IssueOfWindow(const MetricName& name, const std::string& where,
                                   const Scenario& scenario) {
  if (!name.checkpoint.empty()) {
    return Issue{where,
                 fmt::format("{} has one value per window, not per checkpoint", name.quantity),
                 {fmt::format("write \"{}@<window>\"", name.quantity)}};
  }
  const std::vector<std::string> labels = LabelsOf(scenario.windows);
  if (name.experiment.empty() || Contains(labels, name.experiment)) return std::nullopt;
  return Unknown(where, "window", name.experiment, labels, "declare it in /windows");
}

std::optional<Issue> IssueOfCheckpoint(const MetricInfo& info, const MetricName& name,
                                       const std::string& where, const Scenario& scenario) {
  const std::vector<std::string> checkpoints = CheckpointLabels(scenario);
  if (!Contains(checkpoints, name.checkpoint)) {
    return Unknown(where, "checkpoint", name.checkpoint, checkpoints, "list it in /evaluate_at_s");
  }
  if (!info.per_experiment() || !name.experiment.empty()) return std::nullopt;
  return Issue{where,
               fmt::format("{} has one value per experiment", name.quantity),
               {fmt::format("write \"{}@<experiment>@{}\"", name.quantity, name.checkpoint)}};
}

std::optional<Issue> IssueOfArgument(const MetricInfo& info, const MetricName& name,
                                     const std::string& where) {
  if (name.quantity == info.name) return std::nullopt;
  if (!info.argument) {
    return Issue{where,
                 fmt::format("{} has no argument", name.base()),
                 {fmt::format("write \"{}\"", name.base())}};
  }
  const auto& [key, standard, lower, upper] = *info.argument;
  const std::optional<double> value = name.Argument(key);
  if (value && *value >= lower && *value <= upper) return std::nullopt;
  return Issue{where,
               fmt::format("got \"{}\"", name.quantity),
               {fmt::format("write \"{}({}={:g})\", with a number from {:g} to {:g}", name.base(),
                            key, standard, lower, upper)}};
}

/// Metrics of estimates are none of what observers watch, and the other way round; those of
/// staged experiments are of these alone.
std::optional<Issue> IssueOfRole(const MetricInfo& info, const MetricName& name,
                                 const std::string& where, const Scenario& scenario) {
  const auto experiment = std::ranges::find(scenario.experiments, name.experiment,
                                            &Labelled<ExperimentOptions>::value_type::first);
  if (info.per_staged()) {
    if (IsStaged(scenario, experiment->second)) return std::nullopt;
    return Issue{where,
                 fmt::format("{} is of experiments that are controlled with an estimate, and {} is "
                             "none",
                             name.quantity, name.experiment),
                 {"set the model of its control to \"estimate\""}};
  }
  if (info.per_motion()) {
    if (experiment->second.motion || !scenario.simulated()) return std::nullopt;
    return Issue{where,
                 fmt::format("{} has no motion, but torques that are replayed", name.experiment),
                 {"name an experiment with a motion"}};
  }
  const bool watched = experiment->second.role == Role::kApplication;
  if (watched == info.per_observation()) return std::nullopt;
  return Issue{
      where,
      watched ? fmt::format("{} is no metric of observers, who watch {}", name.quantity,
                            name.experiment)
              : fmt::format("{} is a metric of observers, and none watches {}", name.quantity,
                            name.experiment),
      {watched ? "name an experiment of another role" : "name an experiment of role application"}};
}

std::optional<Issue> IssueOf(const MetricName& name, const std::string& where,
                             const Scenario& scenario, std::span<const MetricInfo> metrics) {
  const MetricInfo* const info = FindMetric(metrics, name);
  if (info == nullptr) {
    std::vector<std::string> accepted;
    for (const MetricInfo& metric : metrics) accepted.emplace_back(metric.name);
    return Unknown(where, "metric", name.base(), accepted, "");
  }
  if (auto issue = IssueOfArgument(*info, name, where)) return issue;
  if (info->per_window()) return IssueOfWindow(name, where, scenario);
  if (!info->has_checkpoints() && !name.checkpoint.empty()) {
    return Issue{where,
                 fmt::format("{} has one value per experiment, not per checkpoint", name.quantity),
                 {fmt::format("write \"{}@<experiment>\"", name.quantity)}};
  }
  if (!name.checkpoint.empty()) {
    if (auto issue = IssueOfCheckpoint(*info, name, where, scenario)) return issue;
  }
  if (name.experiment.empty()) return std::nullopt;
  if (!info->per_experiment()) {
    return Issue{where,
                 fmt::format("{} has one value per estimate, not per experiment", name.quantity),
                 {fmt::format("write \"{}\"", name.quantity)}};
  }
  const std::vector<std::string> labels = LabelsOf(scenario.experiments);
  if (Contains(labels, name.experiment)) return IssueOfRole(*info, name, where, scenario);
  return Unknown(where, "experiment", name.experiment, labels, "");
}

}  // namespace

std::vector<Issue> CheckWindows(const Scenario& scenario) {
  std::vector<Issue> issues;
  for (const auto& [label, window] : scenario.windows) {
    if (!label.empty() && label.find('@') == std::string::npos && !label.starts_with("t=")) {
      continue;
    }
    issues.push_back({PointerTo("/windows", label),
                      "a label must not be empty, contain @, or begin with t=",
                      {}});
  }
  return issues;
}

std::vector<Issue> CheckMetricNames(const Scenario& scenario, std::span<const MetricInfo> metrics) {
  std::vector<Issue> issues;
  for (std::size_t i = 0; i < scenario.metrics.size(); ++i) {
    if (scenario.metrics[i] == kAllMetrics) continue;
    auto issue =
        IssueOf(MetricName(scenario.metrics[i]), fmt::format("/metrics/{}", i), scenario, metrics);
    if (issue) issues.push_back(*std::move(issue));
  }
  return issues;
}

}  // namespace idbench
