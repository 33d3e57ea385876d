#pragma once

#include <string>

#include "bench/trial/trial_data.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Returns a sentence on accelerations that processing derives and whose noise drowns the motion in
/// a simulated trial. With P the mean square of an acceleration that estimators get and P₀ that of
/// the true one over the same time, of the identification data, least squares finds inertias about
/// that joint too small by the factor P₀/P (errors in variables). "" if no factor is below 0.95,
/// where nothing is derived, and of recordings, whose true accelerations nobody knows.
std::string AccelerationNoiseWarning(const Scenario& scenario, const TrialData& first);

}  // namespace idbench
