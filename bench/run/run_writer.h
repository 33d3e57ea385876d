#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <span>

#include "reports/files/durable_file.h"
#include "reports/run/run_blocks.h"
#include "reports/run/run_lock.h"
#include "robots/recording/dataset.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// Run folder during a run.
///
/// Each block is a separate file in `blocks/`, written under a temporary name, synced and renamed,
/// so that a kill loses at most the blocks in progress. `records.jsonl` is the blocks in order; it
/// appears when the last one is complete. While a RunWriter lives, no other one can write into its
/// folder (RunLock).
class RunWriter {
 public:
  /// Begins a run, or continues one if `resume` is true.
  /// @throws ConfigError (source: the folder) if the folder holds a run and `resume` is false; if
  ///         it holds a run of another identity (see FindIdentityDifference()) or shard and
  ///         `resume` is true; if it holds other files but no run; or if another process is running
  ///         in it.
  RunWriter(std::filesystem::path folder, const Json& manifest, bool resume);

  const std::filesystem::path& folder() const { return folder_; }
  /// Returns true if all records existed already.
  bool complete() const { return complete_; }
  /// Returns the blocks that existed already, in order.
  const std::set<Block>& finished() const { return finished_; }

  /// Opens a file for the records of a block, one JSON line per trial and estimator; thread-safe.
  DurableFile BeginBlock(const Block& block) const;
  /// Keeps the file. `block` may end earlier than the one that began it.
  void EndBlock(const Block& block, DurableFile& file) const;

  /// Joins all blocks to `records.jsonl` and removes them.
  void Finish();

  /// Writes one experiment of one trial to `series/`, as a recording that can be read back, its
  /// segments one after another.
  /// Columns are `t_s, q1_rad …, qd1_rad_s …, qdd1_rad_s2 …, tau1_nm …`, joints by number, and
  /// `fx_n, fy_n, fz_n, mx_nm, my_nm, mz_nm` of a base wrench. Leaves out channels with another
  /// time than the first, and those that have another in some segment.
  /// @param segments  of the experiment, one at least, with the same channels.
  void WriteSeries(std::size_t cell, std::int64_t trial, std::span<const Dataset> segments) const;

 private:
  void ScanBlocks();

  std::filesystem::path folder_;
  std::optional<RunLock> lock_;
  bool complete_ = false;
  std::set<Block> finished_;
};

}  // namespace idbench
