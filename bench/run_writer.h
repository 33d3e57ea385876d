#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
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

/// A file that is there whole or not at all: written under a temporary name, then synced and
/// renamed. What is not committed is removed. Failures throw std::filesystem::filesystem_error.
class DurableFile {
 public:
  /// @param part  temporary name, in the folder of the final one.
  explicit DurableFile(std::filesystem::path part);
  ~DurableFile();
  DurableFile(const DurableFile&) = delete;
  DurableFile& operator=(const DurableFile&) = delete;

  void Append(std::string_view text);
  void Commit(const std::filesystem::path& file);

 private:
  [[noreturn]] void Fail() const;

  std::filesystem::path part_;
  int descriptor_;
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
  bool complete_ = false;
  std::set<Block> finished_;
};

}  // namespace idbench
