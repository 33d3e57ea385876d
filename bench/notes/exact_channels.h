#pragma once

#include <string>

#include "estimators/interface/problem.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Returns a sentence that names the methods that take channels as exact (see TakenAsExact) which
/// are not: measured with noise or rounded, or with a σ that a recording declares; or derived from
/// such a channel. "" if there are none.
/// @param sensors  resolved; nullptr for recordings.
std::string ExactChannelsNote(const Scenario& scenario, const Problem& problem,
                              const SensorOptions* sensors);

}  // namespace idbench
