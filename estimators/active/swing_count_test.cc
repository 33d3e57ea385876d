#include "estimators/active/swing_count.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "estimators/active/chain_plant_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

Estimate Counted(const RodsProblem& of, double factor) {
  SwingCount method;
  std::vector<Issue> issues;
  ReadFields(method.Fields(), Json{{"factor", factor}}, "", issues);
  REQUIRE(issues.empty());
  MeteredPlant plant(std::make_unique<ChainPlant>(of.lagrangian(), of.truth), 1e5);
  return method.Run(of.problem, plant);
}

TEST_CASE("The periods of a swing are those of an upright spring") {
  const RodsProblem of(1, 1.0);
  for (const double factor : {1.02, 1.01, 1.005}) {
    // N = T/(2π)·√(λ·(f − 1)), λ = 1.5·g/L; angles are below 0.04 rad.
    const double periods = 90.0 / (2.0 * std::numbers::pi) * std::sqrt(1.5 * 9.81 * (factor - 1.0));
    CHECK(Counted(of, factor).diagnostics.at(kSwingPeriods) ==
          doctest::Approx(periods).epsilon(2e-3));
  }
}

TEST_CASE("A swing that is too slow to count has no periods, and says so") {
  const RodsProblem of(1, 1.0);
  const Estimate slow = Counted(of, 1.0001);  // 0.55 periods
  CHECK(slow.diagnostics.empty());
  CHECK(slow.notes.at("swing") == "the first link passed through upright less than twice");
}

TEST_CASE("A robot that fell has no periods, and is an estimate all the same") {
  const RodsProblem of(1, 1.0);
  const Estimate fell = Counted(of, 0.99);
  CHECK(fell.ok());
  CHECK(fell.diagnostics.empty());
  CHECK(fell.notes.at("swing") == "the robot fell");
  CHECK(fell.plant_use->falls == 1);
}

}  // namespace
}  // namespace idbench
