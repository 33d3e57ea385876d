#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace idbench {

/// What a merge found.
struct MergeResult {
  std::int64_t trials = 0;         ///< Of all cells.
  std::int64_t repeated = 0;       ///< Those that several folders hold, with the same bytes.
  std::vector<std::string> notes;  ///< What the user should know, though it stops nothing.
};

/// Makes one run folder of shards, in any order, some of them perhaps given twice.
///
/// `records.jsonl` has the bytes of the run in one piece, and so have the time series;
/// `timings.jsonl` holds those of the shards, each line with its `shard` ("3/8"), whose machine the
/// manifest names under `shards`. Nothing is there before all is: the folder is made beside, and
/// renamed. A shard that is not finished is left out, with a note, where its trials are there from
/// another folder.
///
/// Records are read and written trial by trial: memory does not grow with their number.
/// @param out  must not be there, or be empty.
/// @throws ConfigError if the folders are not parts of one run (ReadParts()), if one is damaged, if
/// two
///         have different records of the same trial (the first one, and the first key that
///         differs), if trials are missing (which, and the calls that compute them).
MergeResult MergeRuns(const std::vector<std::filesystem::path>& folders,
                      const std::filesystem::path& out);

}  // namespace idbench
