#pragma once

#include <filesystem>
#include <vector>

#include "hw/log/log.h"
#include "hw/recording_options.h"

namespace idbench {

/// Returns the format of a file or of a bag's folder, by its content: MCAP, SQLite and zstd of a
/// bag, NumPy's and zip's of arrays by their first bytes; anything else is taken for CSV, in the
/// dialect that GuessCsvDialect() finds (robots/recording/guess_csv_dialect.h).
/// @throws ConfigError if the file cannot be read, and as GuessCsvDialect() does.
RecordingFormat GuessFormat(const std::filesystem::path& file);

/// Returns the one format in which all of the files are read. Where texts seem to be in different
/// dialects, as one of whole numbers alone and one with decimal commas, it is a dialect of these
/// features with which each file holds the same columns and numbers as with its own.
/// @param files  at least one.
/// @throws ConfigError if there is no such dialect, or one file is a text and another is not.
RecordingFormat GuessCommonFormat(const std::vector<std::filesystem::path>& files);

/// Returns all that a file of the format holds, see hw/log/log.h.
Log ReadWholeLog(const std::filesystem::path& file, const RecordingFormat& format);

}  // namespace idbench
