#include "bench/gate/gate_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "bench/gate/record_source.h"
#include "bench/metrics/metrics.h"
#include "reports/gate/gate.h"
#include "reports/run/metric_name.h"
#include "scenarios/problem/problem_builder.h"

namespace idbench {
namespace {

/// What a gate of a scenario decides.
std::size_t MembersOf(const LoadedScenario& loaded, const GateRules& rules) {
  return MostMembers(rules, ManifestAsRead(loaded));
}

/// The window of a metric whose value over all components needs one unit; nullptr if it needs none.
const WindowOptions* WindowOfOneUnit(const Scenario& scenario, const MetricName& name) {
  const auto info = std::ranges::find(AllMetrics(), name.quantity, &MetricInfo::name);
  if (info == AllMetrics().end() || !info->per_window() || info->unit != "SI") return nullptr;
  return scenario.FindWindow(name.experiment);
}

/// Refuses metrics that have components and no value over all of them.
void CheckValues(const LoadedScenario& loaded, const GateRules& rules) {
  for (const GateMetric& metric : rules.metrics) {
    const WindowOptions* const window = WindowOfOneUnit(loaded.scenario, MetricName(metric.name));
    if (window == nullptr) continue;
    const Parametrisation parameters =
        BuildProblem(loaded.robot, loaded.scenario.problem, loaded.source).parameters;
    std::vector<std::string> units;
    for (std::size_t k = 0; k < parameters.names.size(); ++k) {
      const auto& listed = window->unknowns;
      if (std::ranges::find(listed, parameters.names[k]) == listed.end()) continue;
      units.push_back(parameters.units[k]);
    }
    if (std::ranges::adjacent_find(units, std::not_equal_to{}) == units.end()) continue;
    throw ConfigError(loaded.source, "/gate",
                      fmt::format("{} has no value that could be judged: the unknowns of its "
                                  "window have several units",
                                  metric.name),
                      {"gate windows of unknowns that have one unit, see /windows"});
  }
}

/// The rules of a gate that can be.
GateRules CheckedRules(const LoadedScenario& loaded, const GateChoices& choices) {
  GateRules rules = GateRulesOf(ManifestAsRead(loaded), loaded.source, choices, "");
  CheckValues(loaded, rules);
  return rules;
}

}  // namespace

void CheckGateRules(const LoadedScenario& loaded) {
  if (loaded.scenario.gate != GateOptions{}) CheckedRules(loaded, {});
}

void CheckGate(const LoadedScenario& loaded) {
  const Scenario& scenario = loaded.scenario;
  if (scenario.gate == GateOptions{}) return;
  const GateRules rules = CheckedRules(loaded, {});
  if (!scenario.simulated()) return;
  const std::int64_t trials = scenario.trial_count();
  const std::string why =
      WhyItCannotAlarm(rules.alpha, MembersOf(loaded, rules), static_cast<std::size_t>(trials),
                       static_cast<std::size_t>(rules.reserve_trials.value_or(trials)));
  if (why.empty()) return;
  throw ConfigError(loaded.source, "/gate", why, {"raise /trials, or /gate/reserve_trials"});
}

std::string WhyHalvedGateCannotAlarm(const LoadedScenario& loaded, const GateChoices& choices) {
  const GateRules rules = CheckedRules(loaded, choices);
  if (!loaded.scenario.simulated()) return "";
  const auto trials = static_cast<std::size_t>(loaded.scenario.trial_count());
  return WhyItCannotAlarm(rules.alpha, MembersOf(loaded, rules), (trials + 1) / 2, trials / 2);
}

}  // namespace idbench
