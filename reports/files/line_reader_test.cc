#include "reports/files/line_reader.h"

#include <doctest/doctest.h>

#include "reports/run/sample_run_test.h"

namespace idbench {
namespace {

TEST_CASE("Lines are numbered from 1, and the last one tells whether it is whole") {
  const TemporaryFolder folder;
  WriteText(folder.path() / "lines", "a\n\nhalf");
  LineReader reader(folder.path() / "lines", {});
  REQUIRE(reader.Next());
  CHECK(reader.text() == "a");
  CHECK(reader.Place() == "line 1");
  REQUIRE(reader.Next());
  CHECK(reader.text().empty());
  CHECK(reader.ended());
  REQUIRE(reader.Next());
  CHECK(reader.text() == "half");
  CHECK_FALSE(reader.ended());
  CHECK(reader.number() == 3);
  CHECK(MessageOf(folder.path(), [&reader] { reader.RefuseHalfLine(); }) ==
        "lines: line 3: the file breaks off in this line: it was cut\n"
        "  remove it, and `idbench run` with --resume makes it again");
  CHECK_FALSE(reader.Next());
}

TEST_CASE("A file that cannot be read is refused with the cure") {
  CHECK_THROWS_WITH_AS(LineReader("/nowhere/lines", {"write it"}),
                       "/nowhere/lines: cannot be read\n  write it", ConfigError);
}

}  // namespace
}  // namespace idbench
