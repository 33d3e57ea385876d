#include "bench/notes/told_apart.h"

#include <doctest/doctest.h>

#include "robots/attached_options.h"

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

}  // namespace
}  // namespace idbench
