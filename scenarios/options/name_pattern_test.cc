#include "scenarios/options/name_pattern.h"

#include <doctest/doctest.h>

namespace idbench {
namespace {

using Names = std::vector<std::string>;

Names Expand(std::string_view pattern) {
  std::string problem = "of an earlier call";
  Names names = ExpandPattern(pattern, problem);
  CHECK(problem == "");
  return names;
}

std::string ProblemOf(std::string_view pattern) {
  std::string problem;
  CHECK(ExpandPattern(pattern, problem).empty());
  return problem;
}

TEST_CASE("A pattern stands for the names of its range, in order") {
  CHECK(Expand("q{1..3}_rad") == Names{"q1_rad", "q2_rad", "q3_rad"});
  CHECK(Expand("{9..11}") == Names{"9", "10", "11"});
  CHECK(Expand("Joint_{0..0}") == Names{"Joint_0"});
}

TEST_CASE("A pattern without a range is a name, and several stand between commas") {
  CHECK(Expand("t_s") == Names{"t_s"});
  CHECK(Expand("q{1..2}_rad, d3_m,q4_rad ") == Names{"q1_rad", "q2_rad", "d3_m", "q4_rad"});
}

TEST_CASE("A list in braces stands for its names") {
  CHECK(Expand("f{x,y,z}_n, m{x, y}_nm") == Names{"fx_n", "fy_n", "fz_n", "mx_nm", "my_nm"});
}

TEST_CASE("A malformed pattern is refused by what is wrong with it") {
  CHECK(ProblemOf("") == "a name is empty");
  CHECK(ProblemOf("q1_rad,") == "a name is empty");
  CHECK(ProblemOf("q{1..3_rad") == "'q{1..3_rad' has a brace without its partner");
  CHECK(ProblemOf("q1..3}_rad") == "'q1..3}_rad' has a brace without its partner");
  CHECK(ProblemOf("q}1..3{_rad") == "'q}1..3{_rad' has a brace without its partner");
  CHECK(ProblemOf("q{1..2}{3..4}") == "'q{1..2}{3..4}' has more than one range");
  CHECK(ProblemOf("q{1-7}") == "'q{1-7}' has the range '{1-7}', which is not like {1..7}");
  CHECK(ProblemOf("q{1..}") == "'q{1..}' has the range '{1..}', which is not like {1..7}");
  CHECK(ProblemOf("q{-1..2}") == "'q{-1..2}' has the range '{-1..2}', which is not like {1..7}");
  CHECK(ProblemOf("f{x,,z}_n") == "'f{x,,z}_n' has an empty name in its list");
  CHECK(ProblemOf("f{x,y_n, b") == "'f{x,y_n, b' has a brace without its partner");
  CHECK(ProblemOf("q{7..1}") == "'q{7..1}' has a range that runs backwards");
  CHECK(Expand("q{1..1000}").size() == 1000);
  CHECK(ProblemOf("a, q{1..1001}") == "'q{1..1001}' stands for more than 1000 names");
  CHECK(ProblemOf("q{1..99999999999}") ==
        "'q{1..99999999999}' has the range '{1..99999999999}', which is not like {1..7}");
}

}  // namespace
}  // namespace idbench
