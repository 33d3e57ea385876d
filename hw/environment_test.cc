#include "hw/environment.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

TEST_CASE("Variables are replaced anywhere, with and without braces") {
  setenv("IDBENCH_TEST_A", "/data", 1);
  setenv("IDBENCH_TEST_B2", "x", 1);
  CHECK(ExpandEnvironment("$IDBENCH_TEST_A/kuka") == "/data/kuka");
  CHECK(ExpandEnvironment("${IDBENCH_TEST_A}s/$IDBENCH_TEST_B2") == "/datas/x");
  CHECK(ExpandEnvironment("a/${IDBENCH_TEST_B2}$IDBENCH_TEST_B2") == "a/xx");
}

TEST_CASE("A value is not expanded again") {
  setenv("IDBENCH_TEST_C", "$IDBENCH_TEST_C", 1);
  CHECK(ExpandEnvironment("$IDBENCH_TEST_C/a") == "$IDBENCH_TEST_C/a");
}

TEST_CASE("A text without variables stays, and so does a dollar that no name follows") {
  for (const char* text : {"", "/data/kuka", "a$", "a$/b", "$1", "${a", "${}", "${a b}", "$$"}) {
    CHECK(ExpandEnvironment(text) == text);
  }
}

TEST_CASE("Variables that are not set or empty are named, all at once, with the cure") {
  unsetenv("IDBENCH_TEST_NONE");
  setenv("IDBENCH_TEST_EMPTY", "", 1);
  CHECK_THROWS_WITH_AS(
      ExpandEnvironment("$IDBENCH_TEST_NONE/${IDBENCH_TEST_EMPTY}", {"from example.org"}),
      "$IDBENCH_TEST_NONE/${IDBENCH_TEST_EMPTY}: the environment variable IDBENCH_TEST_NONE is not "
      "set\n  set it: export IDBENCH_TEST_NONE=/path/to/folder\n  from example.org\n"
      "$IDBENCH_TEST_NONE/${IDBENCH_TEST_EMPTY}: the environment variable IDBENCH_TEST_EMPTY is "
      "not set\n  set it: export IDBENCH_TEST_EMPTY=/path/to/folder\n  from example.org",
      ConfigError);
}

}  // namespace
}  // namespace idbench
