#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "estimators/interface/observer.h"
#include "scenarios/options/capability.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Returns the models that an observer of the scenario is given, in the order of its records.
std::vector<std::string> ModelsOf(const Scenario& scenario, const ObserverOptions& observer);

/// Returns the labels of the experiments that it watches.
std::vector<std::string> WatchedBy(const Scenario& scenario, const ObserverOptions& observer);

/// Returns the observer with its options, which reading has checked.
std::unique_ptr<Observer> MakeObserver(const ObserverOptions& options);

/// Returns true if an observer that supplies this, kObservedForce, kObservedPlace or kDetection,
/// watches the experiment; "": any.
bool IsObserved(const Scenario& scenario, Capability what, std::string_view experiment = "");

/// Returns what is wrong with the scenario's observers: a model or an experiment that there is not,
/// labels that results could not tell apart, and experiments of role application that nothing
/// watches.
std::vector<Issue> CheckObservers(const Scenario& scenario);

}  // namespace idbench
