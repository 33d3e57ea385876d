#include "bench/run/attached_export.h"

#include <doctest/doctest.h>

#include "robots/pose_options.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

Robot ArmCarrying(const AttachedBodies& bodies, const Configurations& configurations,
                  const std::vector<ConfigurationUse>& uses) {
  Robot robot = LoadRobot("planar3");
  std::vector<Issue> issues;
  AddAttached(bodies, configurations, uses, robot, issues);
  REQUIRE(issues.empty());
  return robot;
}

TEST_CASE("What was attached is written as a scenario takes it, with its identified inertia") {
  AttachedBodyOptions body{.link = "link3", .p_LB_L_m = {0.1, 0.2, 0.3}, .rpy_rad = {0.4, 0, 0}};
  body.prior = BodyInertiaOptions{0.5, {0, 0, 0.1}, {1e-3, 2e-3, 2.5e-3}};
  body.truth = BodyInertiaOptions{0.9};
  const AttachedBodies bodies = {{"nothing", {.link = "link1"}}, {"tool", body}};
  const Robot robot = ArmCarrying(bodies, {{"loaded", {{"nothing", "tool"}}}}, {{"loaded", true}});
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
