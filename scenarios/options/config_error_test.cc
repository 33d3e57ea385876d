#include "scenarios/options/config_error.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace idbench {
namespace {

using Names = std::vector<std::string>;

TEST_CASE("A config error prints source, place, finding and indented details") {
  const ConfigError error("scenarios/ur5_fourier.json", "/estimators/ols/rank_tolerence",
                          "unknown key",
                          AcceptedNames("rank_tolerence", {"rank_tolerance", "reweightings"}));
  CHECK(std::string(error.what()) ==
        "scenarios/ur5_fourier.json: /estimators/ols/rank_tolerence: unknown key\n"
        "  accepted here: rank_tolerance, reweightings\n"
        "  did you mean 'rank_tolerance'?");
  CHECK(error.source() == "scenarios/ur5_fourier.json");
  REQUIRE(error.issues().size() == 1);
  CHECK(error.issues()[0].where == "/estimators/ols/rank_tolerence");
}

TEST_CASE("An issue of the whole file has no place in its message") {
  CHECK(std::string(ConfigError("a.json", "", "cannot be read").what()) ==
        "a.json: cannot be read");
}

TEST_CASE("All issues of a file are printed in their order, each with the source") {
  const ConfigError error(
      "a.json", {{"/x", "missing", {}}, {"/y", "got 1", {"one", "two"}}, {"", "odd", {}}});
  CHECK(std::string(error.what()) ==
        "a.json: /x: missing\n"
        "a.json: /y: got 1\n"
        "  one\n"
        "  two\n"
        "a.json: odd");
  CHECK(error.issues().size() == 3);
}

TEST_CASE("The nearest name is the one with the fewest edits, the first of equal ones") {
  CHECK(NearestName("rank_tolerence", {"reweightings", "rank_tolerance"}) == "rank_tolerance");
  CHECK(NearestName("torqeu", {"time", "torque"}) == "torque");  // swapped letters are one edit
  CHECK(NearestName("trails", {"trial", "trials"}) == "trials");
  CHECK(NearestName("run4", {"run1", "run2"}) == "run1");
  CHECK(NearestName("wsl", {"wls"}) == "wls");
}

TEST_CASE("A name is near within a third of the longer one and with a letter in common") {
  CHECK(NearestName("abcxyz", {"abcdez"}) == "abcdez");  // 2 of 6 letters
  CHECK(NearestName("abcxyz", {"abcdef"}).empty());      // 3 of 6
  CHECK(NearestName("ab", {"ac"}) == "ac");              // 1 of 2
  CHECK(NearestName("a", {"b"}).empty());
  CHECK(NearestName("", {"b", "_s"}).empty());
  CHECK(NearestName("robot", {}).empty());
}

TEST_CASE("A name that lacks only its unit is the nearest") {
  CHECK(LacksOnlyUnit("duration", "duration_s"));
  CHECK(LacksOnlyUnit("noise_std", "noise_std_nm"));
  CHECK(LacksOnlyUnit("limit", "limit_rad_s2"));
  CHECK_FALSE(LacksOnlyUnit("duration_s", "duration_s"));
  CHECK_FALSE(LacksOnlyUnit("duration_s", "duration"));
  CHECK_FALSE(LacksOnlyUnit("noise", "noise_std_nm"));
  CHECK_FALSE(LacksOnlyUnit("", "_s"));
  // One edit away from the one, three from the other.
  CHECK(NearestName("limit", {"limits", "limit_rad_s2"}) == "limit_rad_s2");
}

TEST_CASE("Accepted names are listed with the likely cure") {
  CHECK(AcceptedNames("xyz", {"robot", "plant"}) == Names{"accepted here: robot, plant"});
  CHECK(AcceptedNames("robt", {"robot", "plant"}) ==
        Names{"accepted here: robot, plant", "did you mean 'robot'?"});
  CHECK(AcceptedNames("duration", {"duration_s", "rate_hz"}) ==
        Names{"accepted here: duration_s, rate_hz",
              "a key carries its unit: did you mean 'duration_s'?"});
  CHECK(AcceptedNames("xyz", {}) == Names{"nothing is accepted here"});
}

TEST_CASE("Of many names the first six are listed, and how many more there are") {
  CHECK(ListSome({}).empty());
  CHECK(ListSome({"a", "b", "c", "d", "e", "f", "g"}) == "a, b, c, d, e, f, g");
  CHECK(ListSome({"a", "b", "c", "d", "e", "f", "g", "h"}) == "a, b, c, d, e, f and 2 more");
}

}  // namespace
}  // namespace idbench
