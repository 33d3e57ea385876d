#pragma once

#include <vector>

#include "scenarios/scenario.h"

namespace idbench {

/// Returns what is wrong with the bodies that are attached in experiments: truths that are missing
/// or have no meaning, names of configurations that there are not, unknowns that cannot hold what
/// is attached. What the robot itself cannot have, AddAttached() tells.
std::vector<Issue> CheckAttached(const Scenario& scenario);

/// Returns the names of configurations that no experiment has.
std::vector<std::string> UnusedConfigurations(const Scenario& scenario);

}  // namespace idbench
