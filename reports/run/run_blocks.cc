#include "reports/run/run_blocks.h"

#include <fmt/format.h>

#include <cstdio>

namespace idbench {

std::string BlockName(const Block& block) {
  return fmt::format("{:06}_{:012}_{:012}.jsonl", block.cell, block.begin, block.end);
}

std::optional<Block> ParseBlockName(std::string_view name) {
  Block block;
  const std::string text(name);
  if (std::sscanf(text.c_str(), "%6zu_%12ld_%12ld.jsonl", &block.cell, &block.begin, &block.end) !=
          3 ||
      text != BlockName(block) || block.begin >= block.end) {
    return std::nullopt;
  }
  return block;
}

std::set<Block> ListBlocks(const std::filesystem::path& folder) {
  std::set<Block> blocks;
  std::error_code error;  // of a folder that is not there, or goes away meanwhile
  std::filesystem::directory_iterator entry(folder / "blocks", error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (const auto block = ParseBlockName(entry->path().filename().string())) blocks.insert(*block);
  }
  return blocks;
}

}  // namespace idbench
