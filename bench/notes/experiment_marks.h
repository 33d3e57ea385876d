#pragma once

#include <string>
#include <vector>

#include "bench/trial/trial_data.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Returns true if the experiment has walls and no touches, and none of the walls acts.
/// @param clean  signals of its roll-out.
bool ReachesNoWall(const ExperimentOptions& experiment, const Signals& clean);

/// Returns what has to be said of a simulated cell's experiments: how they are moved and
/// controlled, and what acts on the robot.
/// @param first  data of the first trial.
std::vector<std::string> ExperimentMarks(const Scenario& scenario, const TrialData& first);

}  // namespace idbench
