#include "robots/recording/issue_list.h"

#include <doctest/doctest.h>

namespace idbench {
namespace {

TEST_CASE("A list without issues throws nothing") {
  CHECK_NOTHROW(IssueList().ThrowIfAny("a.csv"));
}

TEST_CASE("The first ten issues are reported, and the number of the others") {
  IssueList list;
  int made = 0;
  for (int line = 1; line <= 47; ++line) {
    list.Add([&] {
      ++made;
      return Issue{std::to_string(line).insert(0, "line "), "is wrong", {}};
    });
  }
  CHECK(made == 10);  // the texts of the others are not even made
  try {
    list.ThrowIfAny("a.csv");
    FAIL("no error");
  } catch (const ConfigError& error) {
    REQUIRE(error.issues().size() == 11);
    CHECK(error.source() == "a.csv");
    CHECK(error.issues()[9].where == "line 10");
    CHECK(error.issues()[10].what == "… and 37 more");
  }
}

}  // namespace
}  // namespace idbench
