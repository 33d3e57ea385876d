#pragma once

#include <string>
#include <vector>

#include "scenarios/scenario_reader.h"

namespace idbench {

/// Returns a sentence for each option of an estimator that is counted in samples or in shares of
/// the rate (see IsPerSample()) and keeps its value in two cells whose data have other rates: a
/// sweep over the rate changes its effect too. The option's description names the one in seconds or
/// hertz, if there is one. Options that are absent or 0 have no effect.
///
/// The rate is that of what estimators get, as far as the scenario tells it: /processing's, or that
/// of the sensors.
std::vector<std::string> RateSweepNotes(const LoadedScenario& loaded);

}  // namespace idbench
