#include "scenarios/problem/problem_options.h"

#include <doctest/doctest.h>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("Kinds of equation are told once each, in the order of rows") {
  ProblemOptions options;
  CHECK(EquationsOf(options) == std::vector{Equation::kTorque});
  options.equations = {{Equation::kVelocity, ""},
                       {Equation::kPosition, "hall_position"},
                       {Equation::kTorque, ""},
                       {Equation::kPosition, ""}};
  CHECK(EquationsOf(options) ==
        std::vector{Equation::kTorque, Equation::kPosition, Equation::kVelocity});
}

TEST_CASE("An equation is written as a name unless a channel of its own measures it") {
  CHECK(WriteValue(EquationOptions{Equation::kWrench, ""}) == "base_wrench");
  const Json with_channel = WriteValue(EquationOptions{Equation::kPosition, "hall_position"});
  CHECK(with_channel ==
        Json({{"type", "joint_position"}, {"mount", "joints"}, {"channel", "hall_position"}}));
  for (const Json& json : {Json("base_wrench"), with_channel}) {
    EquationOptions read;
    std::vector<Issue> issues;
    Binding<EquationOptions>::Read(json, "", {}, read, issues);
    CHECK(issues.empty());
    CHECK(WriteValue(read) == json);
  }
}

TEST_CASE("Each way to state a bound makes the unknowns bounded") {
  CHECK(!ParametrisationOptions{}.bounded());
  ParametrisationOptions options;
  options.lower_prior_factor = 0.5;
  CHECK(options.bounded());
  options = {};
  options.upper_prior_factor = 2.0;
  CHECK(options.bounded());
  options = {};
  options.first_moment_reach_m = 0.1;
  CHECK(options.bounded());
  options = {};
  options.bounds = {{"fv", {0.0, 1.0}}};
  CHECK(options.bounded());
}

TEST_CASE("A lower factor that is not below the upper one is refused") {
  ParametrisationOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), {{"lower_prior_factor", 2.0}, {"upper_prior_factor", 2.0}}, "",
             issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/lower_prior_factor");
}

}  // namespace
}  // namespace idbench
