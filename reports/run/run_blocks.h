#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace idbench {

/// Trials [begin, end) of one cell: the unit of work, of resuming and of writing. Until a run is
/// finished, `blocks/` of its folder holds one file for each computed block.
struct Block {
  std::size_t cell = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;

  auto operator<=>(const Block&) const = default;
};

/// Returns the name of its file in `blocks/`: "000000_000000000003_000000000007.jsonl".
std::string BlockName(const Block& block);

/// Returns the block of a file name; nothing for any other name.
std::optional<Block> ParseBlockName(std::string_view name);

/// Returns the blocks that a run folder holds, in order; none without `blocks/`.
std::set<Block> ListBlocks(const std::filesystem::path& folder);

}  // namespace idbench
