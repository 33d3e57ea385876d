#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "estimators/estimator.h"
#include "scenarios/scenario.h"

namespace idbench {

/// A scenario's estimators by label, in its order, with the options that it gives them.
using LabelledEstimators = std::vector<std::pair<std::string, std::unique_ptr<Estimator>>>;
LabelledEstimators MakeEstimators(const Scenario& scenario);

}  // namespace idbench
