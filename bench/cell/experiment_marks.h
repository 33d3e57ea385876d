#pragma once

#include <string>
#include <vector>

#include "bench/cell/trial_data.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Returns what has to be said of a simulated cell's experiments: how they are moved and
/// controlled, and what acts on the robot.
/// @param first  data of the first trial.
std::vector<std::string> ExperimentMarks(const Scenario& scenario, const TrialData& first);

}  // namespace idbench
