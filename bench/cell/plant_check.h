#pragma once

#include "bench/trial/trial_data.h"
#include "scenarios/scenario_reader.h"

namespace idbench {

/// Refuses the cell if estimators that experiment are given a plant that cannot stand still where
/// its joints are at 0, or as near to that as they can be, or less of its time than they take.
/// @throws ConfigError.
void CheckPlant(const LoadedScenario& loaded, const Cell& cell, const TrialData& first);

}  // namespace idbench
