#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/cell_context.h"

namespace idbench {

/// Sentences for captions about what was simulated and what the estimators of a cell were given:
/// exact channels, true σ, errors drawn, what the model lacks …
///
/// @param sensors  resolved; nothing for recordings.
/// @param first    the data of one trial.
std::vector<std::string> MarksOf(const Robot& robot, const Scenario& scenario,
                                 const std::optional<SensorOptions>& sensors,
                                 const TrialData& first);

}  // namespace idbench
