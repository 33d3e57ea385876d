#pragma once

#include <string>
#include <vector>

#include "hw/recording_options.h"
#include "scenarios/options/config_error.h"

namespace idbench {

/// Returns what does not fit a robot of `dofs` joints: a joint channel needs one column per joint,
/// a wrench three forces and then three moments, an IMU's channel three axes, a distance one
/// column. `where` is relative to the options.
/// @param motors  of the robot: a channel of motors needs one column for each; −1: not known.
std::vector<Issue> CheckDofs(const RecordingOptions& options, int dofs, int motors = -1);

/// Returns an issue for each channel at a place that the robot lacks.
/// @param cuts  names of the robot's cuts.
std::vector<Issue> CheckPlaces(const RecordingOptions& options,
                               const std::vector<std::string>& cuts);

/// Returns an issue for each channel of the options that has no file, and for each file of a
/// channel that has no columns; `where` is relative to `files`.
std::vector<Issue> CheckFiles(const RecordingFiles& files, const RecordingOptions& options);

}  // namespace idbench
