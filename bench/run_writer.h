#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>

#include "reports/durable_file.h"
#include "reports/run_blocks.h"
#include "reports/run_lock.h"
#include "robots/recording/dataset.h"
#include "scenarios/options/json.h"

namespace idbench {

/// The run folder while a run is going on.
///
/// Each block is a file of its own in `blocks/`, written to a temporary name, synced and renamed,
/// so that a kill loses at most the blocks that were being computed. `records.jsonl` is the blocks
/// in order; it appears when the last one is there. As long as a RunWriter lives, no other one can
/// write into its folder (RunLock).
class RunWriter {
 public:
  /// Begins a run, or, with `resume`, goes on with one.
  /// @throws ConfigError (source: the folder) if the folder holds a run and `resume` is not set, or
  ///         one of another scenario, seed, arithmetic or shard and it is; if another process is
  ///         running in it.
  RunWriter(std::filesystem::path folder, const Json& manifest, bool resume);

  const std::filesystem::path& folder() const { return folder_; }
  /// True if all records are there already.
  bool complete() const { return complete_; }
  /// Blocks that are there already, in order.
  const std::set<Block>& finished() const { return finished_; }

  /// A file for the records of a block, one JSON line per trial and estimator; thread-safe.
  DurableFile BeginBlock(const Block& block) const;
  /// Keeps it. `block` may end earlier than it was begun with.
  void EndBlock(const Block& block, DurableFile& file) const;

  /// Joins all blocks to `records.jsonl` and removes them.
  void Finish();

  /// Writes one experiment of one trial to `series/`, as a recording that can be read back.
  /// Columns `t_s, q1_rad …, qd1_rad_s …, qdd1_rad_s2 …, tau1_nm …`, joints by number, and
  /// `fx_n, fy_n, fz_n, mx_nm, my_nm, mz_nm` of a base wrench; channels
  /// with another time than the first are left out.
  void WriteSeries(std::size_t cell, std::int64_t trial, const Dataset& dataset) const;

 private:
  void ScanBlocks();

  std::filesystem::path folder_;
  std::optional<RunLock> lock_;
  bool complete_ = false;
  std::set<Block> finished_;
};

}  // namespace idbench
