#pragma once

#include <string>
#include <vector>

#include "hw/recording_options.h"
#include "robots/recording/dataset.h"
#include "robots/recording/segments.h"

namespace idbench {

/// What was recorded in one experiment, without interruption or in several segments.
struct Recording {
  /// At least one, in the order of recording, all with the same label, role and channels.
  std::vector<Dataset> segments;
  std::vector<TimeBreak> breaks;     ///< Between them.
  std::vector<std::string> dropped;  ///< Sentences about segments that are too short to be used.
};

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
///   column, has no more rows than the number to skip, or if its time does not increase, except
///   where it jumps back by more than `gap_steps` usual steps;
///   (source: the label) if time jumps back more often in some files than in others, or no segment
///   has two samples of each channel.
/// Reports all issues of one step at once, the first ten of a file in full.
Recording ReadCsvRecording(const RecordingOptions& options, const RecordingFiles& files,
                           const std::string& label, Role role, int dofs);

/// Returns the recording with the σ that the options declare for its channels, as
/// estimators get it.
Dataset WithDeclaredSigma(const Dataset& dataset, const RecordingOptions& options);

}  // namespace idbench
