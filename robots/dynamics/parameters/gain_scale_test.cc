#include "robots/dynamics/parameters/gain_scale.h"

#include <doctest/doctest.h>

#include <cmath>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/robot.h"
#include "robots/term_options.h"

namespace idbench {
namespace {

constexpr Equation kDrives = Equation::kCurrentDrive;

/// An arm with a gain of each joint; a weight and a tool can be attached to its last link.
RobotModel Arm(const char* name, bool weight_known = true) {
  RobotModel model = LoadRobot(name).model;
  std::vector<Issue> issues;
  model.SetTerms(MakeTerms({{.type = TermKind::kGain}}, model, "", issues));
  REQUIRE(issues.empty());
  const int last = model.dofs() - 1;
  model.SetAttached({{.name = "weight", .link = last, .known = weight_known},
                     {.name = "tool", .link = last, .p_LA_L = {0.1, 0.0, 0.2}}},
                    {{.name = "bare"}});
  return model;
}

/// Returns the gains without scale.
/// @param attached  in each configuration.
/// @param gain      indices of joints whose gain is known.
std::vector<std::string> Lacking(RobotModel model, std::vector<std::vector<int>> attached,
                                 const std::vector<int>& known_gains = {},
                                 std::vector<PlacedEquation> equations = {kDrives},
                                 double weight_kg = 0.5) {
  std::vector<Configuration> configurations;
  for (std::size_t k = 0; k < attached.size(); ++k) {
    configurations.push_back({.name = std::to_string(k), .attached = attached[k]});
  }
  model.SetAttached(model.attached(), configurations);
  const ParameterLayout layout(model);
  Eigen::VectorXd known = Eigen::VectorXd::Zero(layout.size());
  known.segment<kInertialCount>(layout.Body(model.dofs())) =
      ToStandard({weight_kg, {0.0, 0.01, 0.02}, weight_kg * 1e-3 * Eigen::Matrix3d::Identity()});
  std::vector<std::string> asked;
  for (std::size_t k = 0; k < model.terms().size(); ++k) {
    if (std::ranges::find(known_gains, static_cast<int>(k)) == known_gains.end()) {
      asked.push_back(model.terms()[k].name);
    } else {
      known[known.size() - std::ssize(model.terms()) + static_cast<Eigen::Index>(k)] = 3.0;
    }
  }
  return TermsWithoutScale(model, equations, ConsideredParameters(model, equations, {}, asked),
                           known);
}

TEST_CASE("Without anything known no gain has a scale") {
  const std::vector<std::string> all = {"joint1.gain", "joint2.gain", "joint3.gain"};
  CHECK(Lacking(Arm("planar3"), {{}}) == all);
}

TEST_CASE("One known gain, or a measured equation, gives all others of a chain their scale") {
  CHECK(Lacking(Arm("planar3"), {{}}, {1}).empty());
  CHECK(Lacking(Arm("planar3"), {{}}, {}, {kDrives, Equation::kTorque}).empty());
  CHECK(Lacking(Arm("kuka_lwr4"), {{}}, {6}).empty());
}

TEST_CASE("A known weight gives a scale where it comes and goes by itself") {
  CHECK(Lacking(Arm("kuka_lwr4"), {{}, {0}}).empty());
  CHECK(Lacking(Arm("kuka_lwr4"), {{0}}).size() == 7);
  CHECK(Lacking(Arm("kuka_lwr4", false), {{}, {0}}).size() == 7);
  SUBCASE("not with an unknown tool") {
    CHECK(Lacking(Arm("kuka_lwr4"), {{}, {0, 1}}).size() == 7);
    CHECK(Lacking(Arm("kuka_lwr4"), {{1}, {0, 1}}).empty());
  }
  SUBCASE("not if it weighs nothing") {
    CHECK(Lacking(Arm("kuka_lwr4"), {{}, {0}}, {}, {kDrives}, 0.0).size() == 7);
    CHECK(Lacking(Arm("kuka_lwr4"), {{}, {0}}, {}, {kDrives}, 1e-3).empty());
  }
}

TEST_CASE("A known gain of one branch gives none to those of another") {
  const Link shoulder{.name = "a1", .joint = "a", .parent = -1};
  const Link arm{.name = "a2",
                 .joint = "b",
                 .parent = 0,
                 .p0 = {0.3, 0.0, 0.0},
                 .axis = Eigen::Vector3d::UnitX()};
  Link other = shoulder, its_arm = arm;
  other.name = "c1", other.joint = "c";
  its_arm.name = "c2", its_arm.joint = "d", its_arm.parent = 2;
  const Eigen::VectorXd none = Eigen::VectorXd::Constant(4, INFINITY);
  RobotModel model("two_arms", "base", {shoulder, arm, other, its_arm}, {0.0, 0.0, -9.81},
                   {-none, none, none, none, none});
  std::vector<Issue> issues;
  model.SetTerms(MakeTerms({{.type = TermKind::kGain}}, model, "", issues));
  REQUIRE(issues.empty());
  model.SetAttached({{.name = "weight", .link = 3, .known = true}}, {{.name = "bare"}});
  CHECK(Lacking(model, {{}}, {0}) == std::vector<std::string>{"c.gain", "d.gain"});
  CHECK(Lacking(model, {{}, {0}}, {0}).empty());
}

/// The arm with an offset and a calibration of a sensor before its link 4.
RobotModel WithSensor(CalibrationEntries entries = CalibrationEntries::kAll) {
  RobotModel model = Arm("kuka_lwr4");
  model.SetCuts({{.name = "ft", .link = 3}});
  std::vector<Issue> issues;
  model.SetTerms(MakeTerms({{.type = TermKind::kGain},
                            {.type = TermKind::kOffset, .sensors = "ft"},
                            {.type = TermKind::kCalibration, .sensors = "ft", .entries = entries}},
                           model, "", issues));
  REQUIRE(issues.empty());
  return model;
}

/// Those of calibrations among names.
std::size_t OfCalibration(const std::vector<std::string>& names) {
  return static_cast<std::size_t>(std::ranges::count_if(
      names, [](const std::string& name) { return name.starts_with("ft.d_"); }));
}

TEST_CASE("A calibrated sensor has no scale of its own, and gives none to gains") {
  const std::vector<PlacedEquation> ft = {{Equation::kCut, 0}};
  const std::vector<PlacedEquation> both = {kDrives, {Equation::kCut, 0}};
  CHECK(OfCalibration(Lacking(WithSensor(), {{}}, {}, ft)) == 36);
  CHECK(Lacking(WithSensor(CalibrationEntries::kDiagonal), {{}}, {}, ft).size() == 6);
  CHECK(Lacking(WithSensor(), {{}}, {}, both).size() == 7 + 36);
}

TEST_CASE("A known load beyond the sensor, or a known gain, gives a calibration its scale") {
  const std::vector<PlacedEquation> ft = {{Equation::kCut, 0}};
  CHECK(Lacking(WithSensor(), {{}, {0}}, {}, ft).empty());
  CHECK(Lacking(WithSensor(), {{}, {0}}, {}, {kDrives, {Equation::kCut, 0}}).empty());
  CHECK(Lacking(WithSensor(), {{}}, {6}, {kDrives, {Equation::kCut, 0}}).empty());
  // Carried all the time it is a part of the link.
  CHECK(OfCalibration(Lacking(WithSensor(), {{0}}, {}, ft)) == 36);
}

}  // namespace
}  // namespace idbench
