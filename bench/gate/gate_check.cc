#include "bench/gate/gate_check.h"

#include <string>

#include "bench/gate/record_source.h"
#include "reports/gate/gate.h"

namespace idbench {
namespace {

/// What a gate of a scenario decides: one for each metric of each cell and estimator.
std::size_t MembersOf(const LoadedScenario& loaded, const GateRules& rules) {
  return rules.metrics.size() * loaded.cells.size() * loaded.scenario.estimators.size();
}

}  // namespace

void CheckGate(const LoadedScenario& loaded) {
  const Scenario& scenario = loaded.scenario;
  if (scenario.gate == GateOptions{}) return;
  const GateRules rules = GateRulesOf(ManifestAsRead(loaded), loaded.source, {}, "");
  if (!scenario.simulated()) return;
  const std::int64_t trials = scenario.trial_count();
  const std::string why =
      WhyItCannotAlarm(rules.alpha, MembersOf(loaded, rules), static_cast<std::size_t>(trials),
                       static_cast<std::size_t>(rules.reserve_trials.value_or(trials)));
  if (why.empty()) return;
  throw ConfigError(loaded.source, "/gate", why, {"raise /trials, or /gate/reserve_trials"});
}

std::string WhyHalvedGateCannotAlarm(const LoadedScenario& loaded, const GateChoices& choices) {
  const GateRules rules = GateRulesOf(ManifestAsRead(loaded), loaded.source, choices, "");
  if (!loaded.scenario.simulated()) return "";
  const auto trials = static_cast<std::size_t>(loaded.scenario.trial_count());
  return WhyItCannotAlarm(rules.alpha, MembersOf(loaded, rules), (trials + 1) / 2, trials / 2);
}

}  // namespace idbench
