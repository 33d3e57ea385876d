#pragma once

#include <string>

#include "hw/recording_options.h"
#include "robots/recording/dataset.h"

namespace idbench {

/// Reads the CSV files of a recording into channels in SI units. Channels of one file share its
/// time vector; each file has its own time column, or the rate, and drops skip_samples rows.
///
/// A channel's unit is "rad or m" if its columns are of both kinds. No σ is declared.
///
/// @param dofs  joints of the robot, which is the number of columns of each joint channel.
/// @throws ConfigError
///   (source: the options) for what Visit(options), CheckDofs() and CheckFiles() find wrong;
///   (source: the root as written) for an environment variable that is not set;
///   (source: the file) if it is missing, is not a table of numbers (see ReadCsv()), lacks a
///   column, has no more rows than the number to skip, or if its time does not increase.
/// Reports all issues of one step at once, the first ten of a file in full.
Dataset ReadCsvRecording(const RecordingOptions& options, const RecordingFiles& files,
                         const std::string& label, Role role, int dofs);

/// Returns the recording with the σ that the options declare for its channels, as
/// estimators get it.
Dataset WithDeclaredSigma(const Dataset& dataset, const RecordingOptions& options);

}  // namespace idbench
