#include "reports/files/durable_file.h"

#include <doctest/doctest.h>

#include "reports/run/sample_run_test.h"

namespace idbench {
namespace {

TEST_CASE("A durable file is there when it is committed, not before") {
  const TemporaryFolder folder;
  DurableFile file(folder.path() / "a.part");
  file.Append("one ");
  file.Append("two");
  CHECK_FALSE(std::filesystem::exists(folder.path() / "a"));
  file.Commit(folder.path() / "a");
  CHECK(ReadText(folder.path() / "a") == "one two");
  CHECK_FALSE(std::filesystem::exists(folder.path() / "a.part"));
}

TEST_CASE("What is not committed leaves nothing behind") {
  const TemporaryFolder folder;
  DurableFile(folder.path() / "a.part").Append("one");
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("A durable file that cannot be written is refused with its name") {
  const TemporaryFolder folder;
  const std::string part = (folder.path() / "gone" / "a.part").string();
  CHECK_THROWS_WITH_AS(
      DurableFile{part},
      ("filesystem error: cannot be written: No such file or directory [" + part + "]").c_str(),
      std::filesystem::filesystem_error);
}

}  // namespace
}  // namespace idbench
