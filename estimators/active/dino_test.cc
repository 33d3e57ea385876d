#include "estimators/active/dino.h"

#include <doctest/doctest.h>

#include "estimators/active/chain_plant_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// What DINO finds of rods without friction, and what it asks of the plant.
Estimate Found(RodsProblem& of, const Eigen::VectorXd& guess_of_gravity,
               const char* options = "{}") {
  of.problem.parameters.prior->mean.segment(of.lagrangian().FirstGravity(),
                                            of.lagrangian().dofs()) = guess_of_gravity;
  Dino dino;
  std::vector<Issue> issues;
  ReadFields(dino.Fields(), Json::parse(options), "", issues);
  REQUIRE(issues.empty());
  MeteredPlant plant(std::make_unique<ChainPlant>(of.lagrangian(), of.truth), 1e5);
  return dino.Run(of.problem, plant);
}

TEST_CASE("DINO finds the gravity of each link to its last step, and falls three times for each") {
  for (const int rods : {1, 2, 3}) {
    RodsProblem of(rods, 1.1);
    const Eigen::Vector3d factors(1.173, 1.081, 1.268);
    const Estimate estimate = Found(of, factors.head(rods).cwiseProduct(of.TrueGravity()).eval());
    REQUIRE(estimate.ok());
    CHECK(of.ErrorOf(estimate.x) < 0.002);
    REQUIRE(estimate.plant_use);
    CHECK(estimate.plant_use->falls == 3 * rods);
    CHECK(estimate.plant_use->experiments > 9 * rods);
    CHECK(estimate.plant_use->experiments < 20 * rods);
    // What it does not estimate is the prior's.
    CHECK(estimate.x.head(of.lagrangian().FirstGravity()) ==
          of.problem.parameters.prior->mean.head(of.lagrangian().FirstGravity()));
    CHECK_FALSE(estimate.covariance.has_value());
  }
}

TEST_CASE("Experiments that are too short for falls are told") {
  for (const int rods : {1, 2, 3}) {
    RodsProblem of(rods, 1.1);
    const Eigen::VectorXd guess = 1.17 * of.TrueGravity();
    CHECK_FALSE(Found(of, guess).notes.contains("health"));
    CHECK_FALSE(Found(of, guess, R"({"search": "together"})").notes.contains("health"));
    for (const char* options :
         {R"({"duration_s": 4})", R"({"duration_s": 4, "search": "together"})"}) {
      const Estimate brief = Found(of, guess, options);
      REQUIRE(brief.ok());
      CHECK(of.ErrorOf(brief.x) > 0.005);
      CHECK(brief.notes.at("health").starts_with("experiments are too short to show a fall; "));
    }
  }
}

TEST_CASE("A guess that is too small is raised before it is lowered") {
  RodsProblem of(2, 1.0);
  const Estimate estimate = Found(of, 0.72 * of.TrueGravity());
  REQUIRE(estimate.ok());
  CHECK(of.ErrorOf(estimate.x) < 0.002);
  CHECK(estimate.plant_use->falls == 7 + 6);  // 0.72·1.05⁷ = 1.013
}

TEST_CASE("One factor of all joints misses what they do not have in common") {
  RodsProblem of(2, 1.0);
  const Eigen::Vector2d factors(1.1, 1.25);
  const Estimate estimate =
      Found(of, factors.cwiseProduct(of.TrueGravity()).eval(), R"({"search": "together"})");
  REQUIRE(estimate.ok());
  // The first critical joint ends the search: the other keeps 1.25/1.1.
  CHECK(of.ErrorOf(estimate.x) == doctest::Approx(1.25 / 1.1 - 1.0).epsilon(0.01));
}

TEST_CASE("Where friction holds the robot there is nothing to find") {
  RodsProblem of(1, 1.2);
  Dino dino;
  MeteredPlant plant(std::make_unique<ChainPlant>(of.lagrangian(), of.truth, 50.0), 1e5);
  const Estimate estimate = dino.Run(of.problem, plant);
  CHECK(estimate.outcome == Outcome::kNotConverged);
  CHECK(estimate.reason.find("does not fall without any compensation") != std::string::npos);
}

TEST_CASE("Steps that do not become finer are refused") {
  for (const char* steps : {"[]", "[0.01, 0.05]", "[0.01, 0.01]"}) {
    Dino dino;
    std::vector<Issue> issues;
    ReadFields(dino.Fields(), Json::parse(std::string(R"({"steps": )") + steps + "}"), "", issues);
    REQUIRE(issues.size() == 1);
    CHECK(issues[0].where == "/steps");
  }
}

}  // namespace
}  // namespace idbench
