#include "bench/gate/process.h"

#include <doctest/doctest.h>

#include <fstream>

namespace idbench {
namespace {

TEST_CASE("A program's output, errors and exit code are told apart") {
  const ScratchDirectory scratch;
  const auto result = RunProcess({"sh", "-c", "echo out; echo err >&2; exit 7"}, scratch.path());
  REQUIRE(result.has_value());
  CHECK(result->code == 7);
  CHECK(result->output == "out\n");
  CHECK(result->errors == "err\n");
}

TEST_CASE("A program that a signal ended has 128 more than the signal") {
  const ScratchDirectory scratch;
  CHECK(RunProcess({"sh", "-c", "kill -9 $$"}, scratch.path()).value().code == 128 + 9);
}

TEST_CASE("A program that is not there has no result") {
  const ScratchDirectory scratch;
  CHECK_FALSE(RunProcess({"idbench_no_such_program"}, scratch.path()).has_value());
  CHECK_FALSE(RunProcess({scratch.path().string()}, scratch.path()).has_value());
}

TEST_CASE("A scratch directory goes with all that is in it") {
  std::filesystem::path path;
  {
    const ScratchDirectory scratch;
    path = scratch.path();
    std::ofstream(path / "a") << std::string("1\0002", 3);
    CHECK(BytesOf(path / "a").size() == 3);
    CHECK(BytesOf(path / "b").empty());
  }
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("This program is there") { CHECK(std::filesystem::exists(ThisProgram())); }

}  // namespace
}  // namespace idbench
