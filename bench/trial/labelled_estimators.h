#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "estimators/interface/estimator.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Estimators of a scenario by label, in its order, with their options.
using LabelledEstimators = std::vector<std::pair<std::string, std::unique_ptr<Estimator>>>;
/// Makes the scenario's estimators.
LabelledEstimators MakeEstimators(const Scenario& scenario);

/// Returns true if the method takes no data, as a prior does: neither recorded ones nor its own.
bool IsUntaught(const Estimator& estimator);

/// What makes estimators; any other than MakeEstimators() has to give them the same labels.
using EstimatorSource = std::function<LabelledEstimators(const Scenario&)>;

}  // namespace idbench
