#pragma once

#include <cstdint>
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
  std::vector<TimeBreak> breaks;  ///< Between them.
  /// Sentences about what was not used: segments that are too short, rows whose time does not
  /// increase.
  std::vector<std::string> dropped;
  std::int64_t rows = 0;             ///< Read, of all tables.
  std::int64_t repeated_stamps = 0;  ///< Of them, dropped for having the stamp of the row before.
};

/// Reads the files of a recording, in its format, into channels in SI units. Channels of one table
/// (of a file, or of one topic of a bag) share its time vector if they have all its rows; each
/// table has its own time stamps, or the rate, and drops skip_samples rows.
///
/// - A channel has the rows that hold all its columns. A row that holds some of them is an error.
/// - Stamps of a format that has its own count from the earliest one that is read.
/// - A channel's unit is "rad or m" if its columns are of both kinds. No σ is declared.
///
/// @param dofs  joints of the robot, which is the number of columns of each joint channel.
/// @throws ConfigError
///   (source: the options) for what Visit(options), CheckDofs() and CheckFiles() find wrong;
///   (source: the root as written) for an environment variable that is not set;
///   (source: the file) if it is missing or what ReadLog() of its format refuses, if a column is
///   not in the table of its time, if no more rows are there than the number to skip, or if time
///   does not increase and such rows are not to be dropped, except where it jumps back by more than
///   `gap_steps` usual steps;
///   (source: the label) if time jumps back more often in some tables than in others, or no segment
///   has two samples of each channel.
/// Reports all issues of one step at once, the first ten of a file in full.
Recording ReadRecording(const RecordingOptions& options, const RecordingFiles& files,
                        const std::string& label, Role role, int dofs);

/// Returns the recording with the σ that the options declare for its channels, as
/// estimators get it.
Dataset WithDeclaredSigma(const Dataset& dataset, const RecordingOptions& options);

}  // namespace idbench
