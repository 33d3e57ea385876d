#include "estimators/active/static_torque.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/active/chain_model.h"
#include "estimators/active/chain_plant_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

Estimate HeldStill(const RodsProblem& of, double coulomb, const char* options) {
  StaticTorque method;
  std::vector<Issue> issues;
  ReadFields(method.Fields(), Json::parse(options), "", issues);
  REQUIRE(issues.empty());
  MeteredPlant plant(std::make_unique<ChainPlant>(of.lagrangian(), of.truth, coulomb), 1e5);
  return method.Run(of.problem, plant);
}

TEST_CASE("Torques at rest tell gravity, whatever the guess of it is") {
  for (const int rods : {1, 2, 3}) {
    for (const double guess : {0.8, 1.25}) {
      const RodsProblem of(rods, guess);
      const Estimate estimate = HeldStill(of, 0.0, R"({"duration_s": 720, "poses": 6})");
      REQUIRE(estimate.ok());
      // What is left of the motion after two thirds of 60 s.
      CHECK(of.ErrorOf(estimate.x) < 1e-4);
      CHECK(estimate.plant_use->experiments == 1);
      CHECK(estimate.plant_use->time_s == doctest::Approx(720.0).epsilon(1e-3));
    }
  }
}

TEST_CASE("Gravity that leans is told from gravity") {
  const RodsProblem of(2, 1.1);
  Eigen::VectorXd leaning(of.truth.size() + 2);
  leaning << of.truth, 0.02 * of.TrueGravity();
  const auto error = [&](const char* options) {
    StaticTorque method;
    std::vector<Issue> issues;
    ReadFields(method.Fields(), Json::parse(options), "", issues);
    MeteredPlant plant(std::make_unique<ModelPlant>(of.lagrangian(), leaning, 0.018), 1e5);
    const Estimate estimate = method.Run(of.problem, plant);
    REQUIRE(estimate.ok());
    return of.ErrorOf(estimate.x);
  };
  CHECK(error(R"({"duration_s": 720})") < 1e-4);
  CHECK(error(R"({"duration_s": 720, "leaning": false})") > 3e-4);
}

TEST_CASE("A robot that does not come to rest, or is held by friction, is told") {
  const RodsProblem of(1, 1.1);
  CHECK_FALSE(HeldStill(of, 0.0, "{}").notes.contains("health"));
  const Estimate moving = HeldStill(of, 0.0, R"({"duration_s": 45})");
  REQUIRE(moving.ok());
  CHECK(of.ErrorOf(moving.x) > 1e-3);
  CHECK(moving.notes.at("health").starts_with("the robot was not at rest in its poses; it moved"));
  const Estimate fast = HeldStill(of, 0.0, R"({"duration_s": 6})");
  CHECK(fast.outcome == Outcome::kNotConverged);
  CHECK(fast.reason.starts_with("the robot does not come to rest in its poses, but moves by up"));
  const Estimate held = HeldStill(of, 3.0, "{}");
  REQUIRE(held.ok());
  CHECK(held.notes.at("health").starts_with("friction holds the robot apart on its two ways"));
}

TEST_CASE("Torques that change while the robot is to be still are told") {
  const RodsProblem of(1, 1.1);
  const Estimate swings = HeldStill(
      of, 0.0, R"({"natural_frequency_hz": 3, "damping_ratio": 0.003, "duration_s": 120})");
  REQUIRE(swings.ok());
  CHECK(of.ErrorOf(swings.x) > 1e-3);
  CHECK(swings.notes.at("health").starts_with("torques change while the robot is to be still; by"));
  // Noise of positions is in commanded torques, too, and cancels.
  MeteredPlant plant(std::make_unique<NoisyChain>(of, 1e-3, 0), 1e5);
  CHECK_FALSE(StaticTorque().Run(of.problem, plant).notes.contains("health"));
}

TEST_CASE("One pose does not tell both") {
  const RodsProblem of(1, 1.1);
  CHECK(HeldStill(of, 0.0, R"({"poses": 1})").outcome == Outcome::kRankDeficient);
  CHECK(HeldStill(of, 0.0, R"({"poses": 1, "leaning": false})").ok());
}

TEST_CASE("Friction cancels between poses that are approached from both sides") {
  const RodsProblem of(1, 1.1);
  const double coulomb = 0.02 * of.TrueGravity()[0];
  const Estimate both = HeldStill(of, coulomb, "{}");
  REQUIRE(both.ok());
  CHECK(of.ErrorOf(both.x) < 5e-3);
}

TEST_CASE("Guessed inertias that are of no robot do not keep a method from holding it still") {
  RodsProblem of(2, 1.1);
  Eigen::VectorXd& guess = of.problem.parameters.prior->mean;
  guess[of.lagrangian().FirstCoupling()] = 1.1 * std::sqrt(guess[0] * guess[1]);  // P² > J₁·J₂
  const Estimate estimate = HeldStill(of, 0.0, R"({"duration_s": 720, "poses": 6})");
  REQUIRE(estimate.ok());
  CHECK(of.ErrorOf(estimate.x) < 1e-4);
}

TEST_CASE("Too little time for the poses is refused") {
  const RodsProblem of(1, 1.1);
  const Estimate estimate = HeldStill(of, 0.0, R"({"duration_s": 0.2})");
  CHECK(estimate.outcome == Outcome::kRefused);
}

}  // namespace
}  // namespace idbench
