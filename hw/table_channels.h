#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/log/log.h"
#include "hw/recording_options.h"
#include "robots/recording/dataset.h"

namespace idbench {

/// Rows that were not used.
struct DroppedRows {
  std::vector<std::string> sentences;
  std::int64_t rows = 0;             ///< Looked at, dropped ones included.
  std::int64_t repeated_stamps = 0;  ///< Dropped for having the stamp of the row before.
};

/// Returns the channels of `sources` that the log's tables hold, table by table, in SI units and
/// without the rows to skip; see ReadRecording() for rows, time and what is refused.
///
/// @param sources    columns of the log, time first if it is one of them.
/// @param origin_ns  stamp at 0 s, for formats with stamps of their own.
/// @param[out] dropped  a sentence for each table of which rows were dropped is appended, and all
///                      rows are counted.
std::vector<Channel> ChannelsOf(const Log& log, const RecordingOptions& options,
                                const std::vector<ChannelColumns>& sources, std::int64_t origin_ns,
                                DroppedRows& dropped);

}  // namespace idbench
