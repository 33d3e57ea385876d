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
  EquationOptions with_zone{Equation::kTorque};
  with_zone.dead_zone_rad_s = {{0.05}};
  const Json zone = WriteValue(with_zone);
  CHECK(zone == Json({{"type", "joint_torque"},
                      {"mount", "joints"},
                      {"channel", "joint_torque"},
                      {"dead_zone_rad_s", 0.05},
                      {"dead_zone_of", "row"}}));
  for (const Json& json : {Json("base_wrench"), with_channel, zone}) {
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

TEST_CASE("An equation names the joints or the components whose rows count") {
  const RobotModel model = LoadRobot("planar3").model;
  const auto rows_of = [&model](const Json& json, std::string* told = nullptr) {
    EquationOptions read;
    std::vector<Issue> issues;
    Binding<EquationOptions>::Read(json, "/e", {}, read, issues);
    const auto placed = PlacedEquationOf(read, model, "/e", issues);
    for (const Issue& issue : issues) {
      REQUIRE(told != nullptr);
      *told += issue.where + ": " + issue.what;
      for (const std::string& detail : issue.details) *told += "; " + detail;
    }
    if (issues.empty()) CHECK(PlacedEquationOf(read, model, "", issues) == placed);
    return placed ? placed->rows : std::vector<int>{-1};
  };
  CHECK(rows_of({{"type", "joint_torque"}, {"joints", "joint3, joint1"}}) ==
        std::vector<int>{0, 2});
  CHECK(rows_of({{"type", "motor_current"}, {"joints", "joint{2..3}"}}) == std::vector<int>{1, 2});
  CHECK(rows_of({{"type", "joint_torque"}, {"joints", "joint{1..3}"}}).empty());  // all
  CHECK(rows_of({{"type", "joint_torque"}}).empty());
  CHECK(rows_of({{"type", "base_wrench"}, {"components", "F{x,z}, My"}}) ==
        std::vector<int>{0, 2, 4});
  const auto refusal = [&](const Json& json) {
    std::string told;
    rows_of(json, &told);
    return told;
  };
  CHECK(refusal({{"type", "joint_torque"}, {"joints", "joint{3..4}"}}) ==
        "/e/joints: the robot has no \"joint4\"; accepted here: joint1, joint2, joint3; did you "
        "mean 'joint1'?");
  CHECK(refusal({{"type", "joint_torque"}, {"joints", "joint1, joint1"}}) ==
        "/e/joints: joint1 is there twice; name each once");
  CHECK(refusal({{"type", "joint_torque"}, {"joints", ","}}) == "/e/joints: a name is empty");
  CHECK(refusal({{"type", "base_wrench"}, {"components", "Fw"}}) ==
        "/e/components: base_wrench has no \"Fw\"; accepted here: Fx, Fy, Fz, Mx, My, Mz; did you "
        "mean 'Fx'?");
  CHECK(refusal({{"type", "base_wrench"}, {"joints", "joint1"}}) ==
        "/e/joints: has no meaning for base_wrench; name components of the wrench: Fx, Fy … "
        "(/components)");
  CHECK(refusal({{"type", "joint_torque"}, {"components", "Fx"}}) ==
        "/e/components: has no meaning for joint_torque; name joints: each has a row (/joints)");
}

TEST_CASE("A choice of rows is written as it was read") {
  const Json written = {{"type", "joint_torque"},
                        {"mount", "joints"},
                        {"channel", "joint_torque"},
                        {"joints", "joint{1..2}"}};
  EquationOptions read;
  std::vector<Issue> issues;
  Binding<EquationOptions>::Read({{"type", "joint_torque"}, {"joints", "joint{1..2}"}}, "", {},
                                 read, issues);
  CHECK(issues.empty());
  CHECK(WriteValue(read) == written);
  Binding<EquationOptions>::Read(written, "", {}, read, issues);
  CHECK(issues.empty());
  CHECK(WriteValue(read) == written);
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
