#include "scenarios/problem/problem_options.h"

#include <doctest/doctest.h>

#include "robots/robot.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("Kinds of equation are told once each, in the order of rows") {
  ProblemOptions options;
  RobotModel model = LoadRobot("planar2").model;
  CHECK(EquationsOf(options, model) == std::vector<PlacedEquation>{Equation::kTorque});
  options.equations = {{Equation::kVelocity, ""},
                       {Equation::kPosition, "hall_position"},
                       {Equation::kTorque, ""},
                       {Equation::kPosition, ""}};
  CHECK(EquationsOf(options, model) ==
        std::vector<PlacedEquation>{Equation::kTorque, Equation::kPosition, Equation::kVelocity});
  model.SetCuts({{.name = "elbow", .link = 1}, {.name = "foot"}});
  options.equations = {{Equation::kCut, "", "foot"},
                       {Equation::kTorque},
                       {Equation::kCut, "", "elbow"},
                       {Equation::kCut, "", "knee"}};
  CHECK(EquationsOf(options, model) ==
        std::vector<PlacedEquation>{Equation::kTorque, {Equation::kCut, 0}, {Equation::kCut, 1}});
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

TEST_CASE("A wrench names its cut, and is measured there") {
  const Json written = {{"type", "wrench"}, {"mount", "elbow"}, {"channel", "wrench/elbow"}};
  const auto issues_of = [](const Json& json, EquationOptions& read) {
    std::vector<Issue> issues;
    read = {};
    Binding<EquationOptions>::Read(json, "/problem/equations/0", {}, read, issues);
    return issues.empty() ? std::string() : issues[0].where + ": " + issues[0].what;
  };
  EquationOptions read;
  CHECK(issues_of(written, read).empty());
  CHECK(read == EquationOptions{Equation::kCut, "", "elbow"});
  CHECK(WriteValue(read) == written);
  CHECK(issues_of({{"type", "wrench"}, {"mount", "elbow"}}, read).empty());
  CHECK(issues_of("wrench", read) == "/problem/equations/0/mount: missing");
  CHECK(issues_of({{"type", "wrench"}}, read) == "/problem/equations/0/mount: missing");
  CHECK(issues_of({{"type", "wrench"}, {"mount", "a"}, {"channel", "wrench/b"}}, read) ==
        "/problem/equations/0/channel: \"wrench/b\" does not measure wrench");
  CHECK(issues_of({{"type", "base_wrench"}, {"mount", "a"}}, read) ==
        "/problem/equations/0/mount: base_wrench has no rows for \"a\"");
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
