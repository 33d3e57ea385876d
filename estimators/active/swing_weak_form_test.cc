#include "estimators/active/swing_weak_form.h"

#include <doctest/doctest.h>

#include "estimators/active/chain_plant_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

SwingWeakForm WithoutHold() {
  SwingWeakForm method;
  std::vector<Issue> issues;
  ReadFields(method.Fields(), Json::parse(R"({"torque_delay_periods": 0})"), "", issues);
  REQUIRE(issues.empty());
  return method;
}

TEST_CASE("Free swings tell all parameters of frictionless rods, without a fall") {
  for (const int rods : {1, 2, 3}) {
    RodsProblem of(rods, 1.17);
    MeteredPlant plant(std::make_unique<ChainPlant>(of.lagrangian(), of.truth), 1e5);
    const Estimate estimate = WithoutHold().Run(of.problem, plant);
    REQUIRE(estimate.ok());
    CHECK(of.ErrorOf(estimate.x) < 1e-3);
    // Inertias and couplings too, to 1 %.
    CHECK(((estimate.x - of.truth).array() / of.truth.array()).abs().maxCoeff() < 0.01);
    CHECK(estimate.plant_use->experiments == (rods == 1 ? 4 : 8));
    CHECK(estimate.plant_use->falls == 0);
  }
}

TEST_CASE("Friction is told from gravity, also where joints stick") {
  for (const int rods : {1, 2}) {
    RodsProblem of(rods, 1.17, {JointParameter::kViscous, JointParameter::kCoulomb});
    const double coulomb = 1e-3 * of.TrueGravity()[0];
    MeteredPlant plant(std::make_unique<ChainPlant>(of.lagrangian(), of.truth, coulomb), 1e5);
    const Estimate estimate = WithoutHold().Run(of.problem, plant);
    REQUIRE(estimate.ok());
    CHECK(of.ErrorOf(estimate.x) < 2e-3);
    CHECK(estimate.x.tail(rods).minCoeff() > 0.7 * coulomb);
    CHECK(estimate.x.tail(rods).maxCoeff() < 1.3 * coulomb);
  }
}

TEST_CASE("A fit that needs no levels beyond the first makes half the swings") {
  RodsProblem of(1, 1.17);
  MeteredPlant plant(std::make_unique<ChainPlant>(of.lagrangian(), of.truth), 1e5);
  SwingWeakForm method;
  std::vector<Issue> issues;
  ReadFields(method.Fields(), Json::parse(R"({"last_levels": []})"), "", issues);
  const Estimate estimate = method.Run(of.problem, plant);
  REQUIRE(estimate.ok());
  CHECK(estimate.plant_use->experiments == 2);
}

}  // namespace
}  // namespace idbench
