#include "scenarios/motion/trajectory/design_options.h"

#include <doctest/doctest.h>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

std::vector<Issue> IssuesOf(const char* json) {
  DesignOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), ParseJson(json, "test"), "/design", issues);
  return issues;
}

TEST_CASE("By default a motion is to show what joint torques tell of the links") {
  const DesignOptions options;
  CHECK(options.placed_equations() == std::vector<PlacedEquation>{Equation::kTorque});
  CHECK(options.joint_parameters().empty());
}

TEST_CASE("What is asked counts once, in one order") {
  DesignOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options),
             ParseJson(R"({
    "equations": ["base_wrench", "joint_torque", "base_wrench"],
    "friction": ["coulomb", "viscous", "coulomb"], "rotor_inertia": true})",
                       "test"),
             "", issues);
  REQUIRE(issues.empty());
  CHECK(options.placed_equations() ==
        std::vector<PlacedEquation>{Equation::kTorque, Equation::kWrench});
  CHECK(options.joint_parameters() == std::vector<JointParameter>{JointParameter::kViscous,
                                                                  JointParameter::kCoulomb,
                                                                  JointParameter::kRotorInertia});
}

TEST_CASE("What compares no motions is refused") {
  const auto cut = IssuesOf(R"({"equations": ["joint_torque", "wrench"]})");
  REQUIRE(cut.size() == 1);
  CHECK(cut[0].where == "/design/equations/1");
  CHECK(cut[0].what == "\"wrench\" compares no motions");
  CHECK(cut[0].details == std::vector<std::string>{"accepted here: joint_torque, base_wrench"});
  CHECK(IssuesOf(R"({"equations": []})").at(0).where == "/design/equations");
  CHECK(IssuesOf(R"({"friction": ["rotor_inertia"]})").at(0).where == "/design/friction");
  CHECK(IssuesOf(R"({"coulomb_width_rad_s": -1})").size() == 1);
}

}  // namespace
}  // namespace idbench
