#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace idbench {

/// Result of a merge.
struct MergeResult {
  std::int64_t trials = 0;         ///< Over all cells.
  std::int64_t repeated = 0;       ///< Trials that several folders hold, with the same bytes.
  std::vector<std::string> notes;  ///< What the user should know but does not stop the merge.
};

/// Makes one run folder from shards, in any order; some may be given twice.
///
/// `records.jsonl` has the bytes of the run in one piece, and so have the time series.
/// `timings.jsonl` holds those of the shards, each line with its `shard` ("3/8"), whose machine is
/// in the manifest under `shards`. The folder is made beside its destination and renamed, so that
/// it appears only when complete. An unfinished shard is left out, with a note, if another folder
/// has its trials.
///
/// Reads and writes records trial by trial: memory does not grow with their number.
/// @param out  must not exist, or be empty.
/// @throws ConfigError if the folders are not parts of one run (ReadParts()), if one is damaged, if
///         two have different records of the same trial (the message gives the first one, and the
///         first key that differs), or if trials are missing (the message lists them and the calls
///         that compute them).
MergeResult MergeRuns(const std::vector<std::filesystem::path>& folders,
                      const std::filesystem::path& out);

}  // namespace idbench
