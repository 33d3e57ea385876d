#include "scenarios/observers.h"

#include <fmt/format.h>

#include <algorithm>

#include "estimators/observers/observer_registry.h"
#include "reports/run/run_manifest.h"

namespace idbench {
namespace {

std::vector<std::string> ApplicationsOf(const Scenario& scenario) {
  std::vector<std::string> labels;
  for (const auto& [label, experiment] : scenario.experiments) {
    if (experiment.role == Role::kApplication) labels.push_back(label);
  }
  return labels;
}

std::vector<std::string> AllModels(const Scenario& scenario) {
  std::vector<std::string> models;
  if (scenario.problem.prior) models.emplace_back(kModelOfPrior);
  for (const auto& [label, estimator] : scenario.estimators) models.push_back(label);
  if (scenario.simulated()) models.emplace_back(kModelOfTruth);
  return models;
}

bool IsAmong(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// An issue for each of `names` that is not accepted or stands twice.
void CheckNames(const std::vector<std::string>& names, const std::vector<std::string>& accepted,
                const std::string& where, const char* what, const char* none,
                std::vector<Issue>& issues) {
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string at = fmt::format("{}/{}", where, k);
    const auto here = names.begin() + static_cast<std::ptrdiff_t>(k);
    if (std::find(names.begin(), here, names[k]) != here) {
      issues.push_back({at, fmt::format("\"{}\" is there twice", names[k]), {}});
    } else if (!IsAmong(accepted, names[k])) {
      issues.push_back(
          {at, fmt::format("no such {}: \"{}\"", what, names[k]),
           accepted.empty() ? std::vector<std::string>{none} : AcceptedNames(names[k], accepted)});
    }
  }
}

}  // namespace

std::vector<std::string> ModelsOf(const Scenario& scenario, const ObserverOptions& observer) {
  return observer.models.empty() ? AllModels(scenario) : observer.models;
}

std::vector<std::string> WatchedBy(const Scenario& scenario, const ObserverOptions& observer) {
  return observer.experiments.empty() ? ApplicationsOf(scenario) : observer.experiments;
}

std::unique_ptr<Observer> MakeObserver(const ObserverOptions& options) {
  std::unique_ptr<Observer> observer = FindObserver(options.type)->make();
  std::vector<Issue> issues;  // none, if reading had none
  ReadFields(observer->Fields(), *options.options, "", issues);
  return observer;
}

bool IsObserved(const Scenario& scenario, Capability what, std::string_view experiment) {
  const std::string_view series = what == Capability::kObservedForce   ? kExternalForce
                                  : what == Capability::kObservedPlace ? kTouchPlace
                                                                       : kStatistic;
  return std::ranges::any_of(scenario.observers, [&](const auto& labelled) {
    if (FindObserver(labelled.second.type) == nullptr) return false;  // which reading has refused
    const std::vector<std::string_view> gives = MakeObserver(labelled.second)->gives();
    return std::ranges::find(gives, series) != gives.end() &&
           (experiment.empty() ||
            std::ranges::count(WatchedBy(scenario, labelled.second), experiment) > 0);
  });
}

std::vector<Issue> CheckObservers(const Scenario& scenario) {
  std::vector<Issue> issues;
  const std::vector<std::string> applications = ApplicationsOf(scenario);
  for (const char* const taken : {kModelOfPrior, kModelOfTruth}) {
    if (scenario.observers.empty()) break;
    const auto estimator = std::ranges::find(scenario.estimators, taken,
                                             &Labelled<EstimatorOptions>::value_type::first);
    if (estimator == scenario.estimators.end()) continue;
    issues.push_back({PointerTo("/estimators", taken),
                      fmt::format("observers name the {} itself so", taken),
                      {"give the estimator another label"}});
  }
  if (!scenario.observers.empty() && !scenario.simulated() && scenario.keep_series.empty()) {
    issues.push_back({"/keep_series",
                      "keeps nothing of what observers find, which in a recording nothing judges",
                      {"write \"keep_series\": [0], which writes series/observations.jsonl"}});
  }
  std::vector<std::string> watched;
  for (const auto& [label, observer] : scenario.observers) {
    const std::string where = PointerTo("/observers", label);
    for (const std::string& model : ModelsOf(scenario, observer)) {
      const std::string joined = ObservationLabel(label, model);
      const auto taken = std::ranges::find(scenario.estimators, joined,
                                           &Labelled<EstimatorOptions>::value_type::first);
      if (taken == scenario.estimators.end()) continue;
      issues.push_back({PointerTo("/estimators", joined),
                        fmt::format("tables call so what the observer '{}' finds with the model "
                                    "'{}'",
                                    label, model),
                        {"give the estimator another label"}});
    }
    CheckNames(observer.models, AllModels(scenario), where + "/models", "model", "", issues);
    CheckNames(observer.experiments, applications, where + "/experiments",
               "experiment of role application", "give an experiment the role \"application\"",
               issues);
    const std::vector<std::string> its = WatchedBy(scenario, observer);
    watched.insert(watched.end(), its.begin(), its.end());
    if (!its.empty()) continue;
    issues.push_back({where,
                      "watches nothing: no experiment has the role application",
                      {"give an experiment \"role\": \"application\""}});
  }
  for (const auto& [label, experiment] : scenario.experiments) {
    if (!IsAmong(applications, label) || IsAmong(watched, label) ||
        IsStaged(scenario, experiment)) {
      continue;
    }
    issues.push_back({PointerTo("/experiments", label),
                      "has the role application, and no observer watches it",
                      {"declare one in /observers, give it the role validation, or set its "
                       "control's model to \"estimate\""}});
  }
  return issues;
}

}  // namespace idbench
