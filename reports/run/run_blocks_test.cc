#include "reports/run/run_blocks.h"

#include <doctest/doctest.h>

#include "reports/run/sample_run_test.h"

namespace idbench {
namespace {

TEST_CASE("The name of a block's file tells the block") {
  const Block block{3, 40, 57};
  CHECK(BlockName(block) == "000003_000000000040_000000000057.jsonl");
  CHECK(ParseBlockName(BlockName(block)) == block);
  for (const char* other : {"", "000003_000000000040_000000000057.jsonl.part", "3_40_57.jsonl",
                            "records.jsonl", "000003_000000000057_000000000057.jsonl"}) {
    CAPTURE(other);
    CHECK_FALSE(ParseBlockName(other));
  }
}

TEST_CASE("Blocks of a folder come in order, other files are not among them") {
  const TemporaryFolder folder;
  CHECK(ListBlocks(folder.path()).empty());
  std::filesystem::create_directories(folder.path() / "blocks");
  for (const Block& block : {Block{1, 0, 4}, Block{0, 4, 5}, Block{0, 0, 4}}) {
    WriteText(folder.path() / "blocks" / BlockName(block), "");
  }
  WriteText(folder.path() / "blocks" / (BlockName({2, 0, 1}) + ".part"), "");
  CHECK(ListBlocks(folder.path()) == std::set<Block>{{0, 0, 4}, {0, 4, 5}, {1, 0, 4}});
}

}  // namespace
}  // namespace idbench
