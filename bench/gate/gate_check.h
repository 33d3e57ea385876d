#pragma once

#include <string>

#include "reports/gate/gate_options.h"
#include "scenarios/scenario_reader.h"

namespace idbench {

/// Refuses a gate that a scenario declares and that cannot be, whatever the trials: of a metric
/// that no run has, that does not say which values are better or that has components alone. A gate
/// that declares nothing, i.e. has all its defaults, is not checked.
/// @throws ConfigError (source: the scenario's, "/gate…").
void CheckGateRules(const LoadedScenario& loaded);

/// As above, and refuses a gate with so few trials that it never alarms, whatever changes. One of
/// recordings decides without chance, and any number of trials will do.
void CheckGate(const LoadedScenario& loaded);

/// Returns why the gate of a scenario against a run without reserve trials, i.e. with half of the
/// trials in each stage, never alarms; "" if it can.
/// @throws ConfigError as above, of a scenario without `gate` too.
std::string WhyHalvedGateCannotAlarm(const LoadedScenario& loaded, const GateChoices& choices);

}  // namespace idbench
