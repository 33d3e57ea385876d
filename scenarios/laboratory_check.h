#pragma once

#include <string>
#include <vector>

#include "scenarios/options/capability.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Returns the labels of the estimators that make experiments of their own.
std::vector<std::string> ActiveEstimators(const Scenario& scenario);

/// Returns what keeps these from their plant: a recording; positions that no sensor measures; a
/// rate that the simulation has not; times within a recording at which they are to be judged. And a
/// laboratory without any of them.
std::vector<Issue> CheckLaboratory(const Scenario& scenario, const Supplies& supplies);

}  // namespace idbench
