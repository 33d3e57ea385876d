#include "reports/run/shard.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("Every trial of every cell belongs to exactly one shard, and OwnerOf names it") {
  for (const std::int64_t trials : {1, 2, 7, 8, 9, 100}) {
    for (const std::int64_t count : {1, 2, 3, 8, 13}) {
      for (const std::size_t cell : {0, 1, 7, 8, 29}) {
        std::vector<int> owners(static_cast<std::size_t>(trials));
        for (std::int64_t index = 1; index <= count; ++index) {
          const Shard shard{index, count};
          const TrialRange range = shard.Trials(cell, trials);
          for (std::int64_t trial = range.begin; trial < range.end; ++trial) {
            ++owners[static_cast<std::size_t>(trial)];
            CHECK(OwnerOf(cell, trial, trials, count) == shard);
          }
        }
        CHECK(std::ranges::all_of(owners, [](int n) { return n == 1; }));
      }
    }
  }
}

TEST_CASE("Shards differ by at most one trial in each cell") {
  for (const std::int64_t trials : {3, 50, 101}) {
    for (std::int64_t index = 1; index <= 8; ++index) {
      const std::int64_t size = Shard{index, 8}.Trials(5, trials).size();
      CHECK(size >= trials / 8);
      CHECK(size <= trials / 8 + 1);
    }
  }
}

TEST_CASE("Cells of one trial are dealt out, also where every eighth cell is the dear one") {
  std::vector<int> cells(8), dear(8);
  for (std::size_t cell = 0; cell < 64; ++cell) {
    const std::int64_t owner = OwnerOf(cell, 0, 1, 8).index - 1;
    ++cells[static_cast<std::size_t>(owner)];
    if (cell % 8 == 7) ++dear[static_cast<std::size_t>(owner)];
  }
  CHECK(cells == std::vector<int>(8, 8));
  CHECK(dear == std::vector<int>(8, 1));
}

TEST_CASE("A shard is written I/N, and nothing else is one") {
  CHECK(ParseShard("3/8") == Shard{3, 8});
  CHECK(ParseShard("3/8").Label() == "3/8");
  CHECK(ParseShard("1/1") == Shard{1, 1});
  for (const char* wrong : {"", "3", "/", "3/", "/8", "0/8", "9/8", "-1/8", "3/8/2", "3/ 8", "a/b",
                            "1/1000001", "1/99999999999999999999"}) {
    CAPTURE(wrong);
    CHECK_THROWS_WITH_AS(
        ParseShard(wrong),
        ("shard: got '" + std::string(wrong) + "'\n  accepted here: I/N, part I of N, as in 3/8")
            .c_str(),
        std::invalid_argument);
  }
}

TEST_CASE("A shard of a manifest has an index of at most its count") {
  Shard shard;
  std::vector<Issue> issues;
  ReadFields(Visit(shard), Json{{"index", 9}, {"count", 8}}, "/shard", issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/shard/index");
  CHECK(issues[0].what == "got 9");
  CHECK(issues[0].details == std::vector<std::string>{"accepted here: 1 to 8, the count"});
}

}  // namespace
}  // namespace idbench
