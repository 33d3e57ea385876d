#pragma once

#include <filesystem>
#include <vector>

#include "reports/run/merge_manifests.h"

namespace idbench {

/// Joins what run folders hold besides their records. A trial's or a cell's lines come from the
/// first part that has some, so that parts given twice count once.
/// @throws ConfigError for a damaged line.

/// Joins `series/`: its files, and its `*.jsonl` line by line, in the order of cell and trial.
void MergeSeries(const std::vector<RunPart>& parts, const std::filesystem::path& out);

/// Joins `identified.json`: its cells, in the order of cell and trial.
void MergeIdentified(const std::vector<RunPart>& parts, const std::filesystem::path& out);

/// Joins `timings.jsonl`: lines in the order of cells, each with the `shard` that measured it.
void MergeTimings(const std::vector<RunPart>& parts, const std::filesystem::path& out);

}  // namespace idbench
