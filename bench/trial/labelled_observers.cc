#include "bench/trial/labelled_observers.h"

#include "scenarios/observers.h"

namespace idbench {

std::vector<LabelledObserver> MakeObservers(const Scenario& scenario) {
  std::vector<LabelledObserver> observers;
  for (const auto& [label, options] : scenario.observers) {
    observers.push_back(
        {label, MakeObserver(options), ModelsOf(scenario, options), WatchedBy(scenario, options)});
  }
  return observers;
}

}  // namespace idbench
