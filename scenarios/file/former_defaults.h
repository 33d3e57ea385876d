#pragma once

#include "scenarios/options/json.h"

namespace idbench {

/// Returns the expanded scenario of a manifest with the keys that are newer than the program that
/// wrote it and whose default is not what was done before they existed:
///
///   motion.design of type "fourier": null, candidates were compared by what /problem asks;
///   overall_ratio_to_prior: "mean_over_joints", of scenarios that record that ratio;
///   recording.gap_steps: null, time had to increase and gaps were bridged;
///   scoring of a recording: none, against torque as processed;
///   reweightings of wls and consistent_wls: 3.
///
/// A scenario that a user wrote has the defaults of today, see "What a version promises" in
/// CHANGELOG.md.
Json WithFormerDefaults(Json scenario);

}  // namespace idbench
