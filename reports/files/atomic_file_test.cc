#include "reports/files/atomic_file.h"

#include <doctest/doctest.h>

#include "reports/run/sample_run_test.h"

namespace idbench {
namespace {

TEST_CASE("A file is replaced, and its folders are made") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "a" / "b.txt";
  WriteAtomically(file, "first");
  WriteAtomically(file, "second");
  CHECK(ReadText(file) == "second");
  CHECK_FALSE(std::filesystem::exists(folder.path() / "a" / "b.txt.part"));
}

TEST_CASE("What cannot be written is refused with its name, and leaves nothing behind") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "taken";
  std::filesystem::create_directories(file / "inside");
  std::string message;
  try {
    WriteAtomically(file, "text");
  } catch (const std::filesystem::filesystem_error& error) {
    message = error.what();
  }
  CHECK(message.find("cannot write") != std::string::npos);
  CHECK(message.find(file.string()) != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "taken.part"));
  std::filesystem::create_directories(folder.path() / "blocked.part");
  CHECK_THROWS_AS(WriteAtomically(folder.path() / "blocked", "text"),
                  std::filesystem::filesystem_error);
}

}  // namespace
}  // namespace idbench
