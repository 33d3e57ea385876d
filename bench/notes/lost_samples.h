#pragma once

#include <string>

#include "bench/trial/trial_data.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Returns a sentence about samples that are missing in windows and before checkpoints, with their
/// number; "" if none is. Of each of their stretches of time estimators get fewer samples than the
/// experiment has there at the data's own rate: processing has dropped the others, a delayed sensor
/// had no reading yet, readings were lost, or the recording has a gap.
///
/// @param first  the data of one trial.
std::string LostSamplesMark(const Scenario& scenario, const TrialData& first);

}  // namespace idbench
