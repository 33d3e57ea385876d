#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/trial/data_source.h"
#include "bench/trial/trial_data.h"
#include "robots/robot.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Returns sentences for captions about the simulation of a cell and what its estimators get: exact
/// channels, true σ, drawn errors, effects that the model lacks …
///
/// @param source  of the data.
/// @param first   the data of one trial.
std::vector<std::string> MarksOf(const Robot& robot, const Scenario& scenario,
                                 const DataSource& source, const TrialData& first);

}  // namespace idbench
