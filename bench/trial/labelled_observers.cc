#include "bench/trial/labelled_observers.h"

#include <cassert>
#include <utility>

#include "estimators/observers/observer_registry.h"
#include "scenarios/observers.h"

namespace idbench {

std::vector<LabelledObserver> MakeObservers(const Scenario& scenario) {
  std::vector<LabelledObserver> observers;
  for (const auto& [label, options] : scenario.observers) {
    std::unique_ptr<Observer> observer = FindObserver(options.type)->make();
    std::vector<Issue> issues;
    ReadFields(observer->Fields(), *options.options, "", issues);
    assert(issues.empty());  // they were checked with the scenario
    observers.push_back(
        {label, std::move(observer), ModelsOf(scenario, options), WatchedBy(scenario, options)});
  }
  return observers;
}

}  // namespace idbench
