#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bench/cell_context.h"
#include "scenarios/scenario_reader.h"

namespace idbench {

/// Trials [begin, end) of one cell: the unit of work, of resuming and of writing.
struct Block {
  std::size_t cell = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;

  auto operator<=>(const Block&) const = default;
};

/// The run folder while a run is going on.
///
/// Each block is a file of its own in `blocks/`, written to a temporary name, synced and renamed,
/// so that a kill loses at most the blocks that were being computed. `records.jsonl` is the blocks
/// in order; it appears when the last one is there.
class RunWriter {
 public:
  /// Begins a run, or, with `resume`, goes on with one.
  /// @throws ConfigError (source: the folder) if the folder holds a run and `resume` is not set, or
  ///         one of another scenario, seed or arithmetic and it is.
  RunWriter(std::filesystem::path folder, const Json& manifest, bool resume);

  const std::filesystem::path& folder() const { return folder_; }
  /// True if all records are there already.
  bool complete() const { return complete_; }
  /// Blocks that are there already, in order.
  const std::set<Block>& finished() const { return finished_; }

  /// Keeps the records of a block, one JSON line per trial and estimator. Thread-safe for different
  /// blocks.
  void WriteBlock(const Block& block, const std::string& records) const;

  /// Joins all blocks to `records.jsonl` and removes them.
  void Finish();

  /// Writes the manifest anew, e.g. with what became known when cells were prepared.
  void WriteManifest(const Json& manifest) const;

  /// Writes one experiment of one trial to `series/`, as a recording that can be read back.
  /// Columns `t_s, q1_rad …, qd1_rad_s …, qdd1_rad_s2 …, tau1_nm …`, joints by number; channels
  /// with another time than the first are left out.
  void WriteSeries(std::size_t cell, std::int64_t trial, const Dataset& dataset) const;

 private:
  void ScanBlocks();

  std::filesystem::path folder_;
  bool complete_ = false;
  std::set<Block> finished_;
};

}  // namespace idbench
