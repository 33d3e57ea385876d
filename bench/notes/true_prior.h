#pragma once

#include <string>

#include "bench/trial/trial_data.h"
#include "robots/robot.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Returns a sentence on the unknowns whose prior mean is their true value, with what draws errors
/// of it: with such a prior every method that takes it looks better than it would on a robot. "" if
/// there are none, without a prior, of recordings, and where unknowns change with time.
/// @param first  data of one trial.
std::string TruePriorNote(const Scenario& scenario, const TrialData& first);

/// Returns a sentence on the parameters that the prior declares known, which every method holds
/// where it has them; of a simulation with how many of them have their true value. "" if there are
/// none.
std::string KnownNote(const Scenario& scenario, const Robot& robot, const TrialData& first);

}  // namespace idbench
