#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "scenarios/options/fields.h"

namespace idbench {

/// Trials [begin, end) of a cell.
struct TrialRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t size() const { return end - begin; }
  bool operator==(const TrialRange&) const = default;
};

/// Part `index` of `count` equal parts of a run.
///
/// Cells differ in cost, trials of one cell hardly do. So every cell's T trials are cut into
/// `count` pieces, piece k being [⌊kT/count⌋, ⌊(k + 1)T/count⌋). Pieces are contiguous, so that a
/// shard consists of blocks as any run does. The shard takes piece (index − 1 − cell −
/// ⌊cell/count⌋) mod count: if T < count, only some pieces hold a trial, and this rotation gives
/// each shard its share of cells. A shard prepares only the cells of which it has trials, so that
/// roll-outs shared by a whole cell are simulated only where they are needed.
struct Shard {
  std::int64_t index = 1;  ///< 1 … count.
  std::int64_t count = 1;

  /// Returns the shard's trials of a cell with `trials` in all; may be empty.
  TrialRange Trials(std::size_t cell, std::int64_t trials) const;

  /// Returns "3/8".
  std::string Label() const;

  bool operator==(const Shard&) const = default;
};
FieldTable Visit(Shard& shard);

/// Reads "3/8".
/// @throws std::invalid_argument unless the text is I/N with 1 ≤ I ≤ N ≤ 1,000,000.
Shard ParseShard(std::string_view text);

/// Returns the one of `count` shards that has a trial.
Shard OwnerOf(std::size_t cell, std::int64_t trial, std::int64_t trials, std::int64_t count);

}  // namespace idbench
