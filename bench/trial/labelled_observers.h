#pragma once

#include <memory>
#include <string>
#include <vector>

#include "estimators/interface/observer.h"
#include "scenarios/scenario.h"

namespace idbench {

/// An observer of a scenario with its options, and what it is given.
struct LabelledObserver {
  std::string label;
  std::unique_ptr<Observer> observer;
  std::vector<std::string> models;   ///< See ModelsOf().
  std::vector<std::string> watched;  ///< Labels of experiments, see WatchedBy().
};

/// Makes the scenario's observers, in its order.
std::vector<LabelledObserver> MakeObservers(const Scenario& scenario);

}  // namespace idbench
