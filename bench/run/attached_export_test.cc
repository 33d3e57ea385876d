#include "bench/run/attached_export.h"

#include <doctest/doctest.h>

#include "robots/pose_options.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// planar3 with a sensor at the far end of its last link.
Robot Arm(const AttachedBodies& bodies, const Configurations& configurations,
          const std::vector<ConfigurationUse>& uses) {
  Robot robot = LoadRobot("planar3");
  robot.model.SetCuts({{.name = "ft", .link = 2, .link_beyond = false}});
  std::vector<Issue> issues;
  AddAttached(bodies, configurations, uses, robot, issues);
  REQUIRE(issues.empty());
  return robot;
}

std::vector<EquationRows> RowsOfTorques() { return {{Equation::kTorque}}; }

std::vector<EquationRows> RowsOfCut() {
  EquationRows wrench{Equation::kCut};
  wrench.mount = "ft";
  wrench.cut = 0;
  return {{Equation::kTorque}, wrench};
}

using Groups = std::vector<std::string>;

TEST_CASE("What is attached at all times is told apart from its link only by a sensor between") {
  const AttachedBodies tool = {{"tool", {.link = "link3"}}};
  const Configurations loaded = {{"loaded", {{"tool"}}}};
  const Robot always = Arm(tool, loaded, {{"loaded", true}, {"", false}});
  CHECK(NotToldApart(always.model, RowsOfTorques()) == Groups{"link3, tool"});
  CHECK(NotToldApart(always.model, RowsOfCut()).empty());
  const Robot both = Arm(tool, loaded, {{"loaded", true}, {"", true}});
  CHECK(NotToldApart(both.model, RowsOfTorques()).empty());
}

TEST_CASE("Of several bodies on a link those are not told apart that replace each other") {
  const AttachedBodies tools = {{"a", {.link = "link3"}},
                                {"b", {.link = "link3"}},
                                {"c", {.link = "link2"}},
                                {"weight", {.link = "link1", .known = true, .prior = {{0.5}}}}};
  const Configurations each = {{"with_a", {{"a", "weight"}}},
                               {"with_b", {{"b", "c", "weight"}}},
                               {"with_both", {{"a", "b", "weight"}}}};
  // link3 + a and link3 + b are known. The weight is known, so link1 is too.
  const Robot two = Arm(tools, each, {{"with_a", true}, {"with_b", true}, {"with_both", false}});
  CHECK(NotToldApart(two.model, RowsOfTorques()) == Groups{"link3, a, b"});
  const Robot three = Arm(tools, each, {{"with_a", true}, {"with_b", true}, {"with_both", true}});
  CHECK(NotToldApart(three.model, RowsOfTorques()).empty());
}

TEST_CASE("What was attached is written as a scenario takes it, with its identified inertia") {
  AttachedBodyOptions body{.link = "link3", .p_LB_L_m = {0.1, 0.2, 0.3}, .rpy_rad = {0.4, 0, 0}};
  body.prior = BodyInertiaOptions{0.5, {0, 0, 0.1}, {1e-3, 2e-3, 2.5e-3}};
  body.truth = BodyInertiaOptions{0.9};
  const AttachedBodies bodies = {{"nothing", {.link = "link1"}}, {"tool", body}};
  const Robot robot = Arm(bodies, {{"loaded", {{"nothing", "tool"}}}}, {{"loaded", true}});
  Eigen::VectorXd pi = robot.FindSet("")->pi;
  CentralInertia identified{0.7, {0.01, 0.02, 0.03}, {}};
  identified.I_com << 4e-3, 1e-4, 2e-4, 1e-4, 5e-3, 3e-4, 2e-4, 3e-4, 6e-3;
  pi.segment<kInertialCount>(ParameterLayout(robot.model).Body(4)) = ToStandard(identified);
  const Json text = ParseJson(AttachedText(bodies, robot.model, pi), "text");
  AttachedBodyOptions read;
  std::vector<Issue> issues;
  ReadFields(Visit(read), text.at("attached").at("tool"), "", issues);
  REQUIRE(issues.empty());
  CHECK(read.link == "link3");
  CHECK(read.p_LB_L_m == body.p_LB_L_m);
  CHECK(read.rpy_rad == body.rpy_rad);
  CHECK_FALSE(read.truth);
  REQUIRE(read.prior);
  CHECK(read.prior->mass_kg == 0.7);
  const CentralInertia again{read.prior->mass_kg, Eigen::Vector3d(read.prior->com_m.data()),
                             InertiaOfEntries(read.prior->inertia_com_kgm2)};
  CHECK((again.com - identified.com).norm() <= 1e-15);      // rounding of m·c/m
  CHECK((again.I_com - identified.I_com).norm() <= 1e-16);  // and of the shift to it
  CHECK(text.at("attached").at("nothing").at("prior").at("mass_kg") == 0.0);
}

}  // namespace
}  // namespace idbench
