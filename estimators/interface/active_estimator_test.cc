#include "estimators/interface/active_estimator.h"

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>

#include "estimators/synthetic_test.h"
#include "robots/plant/rail_test.h"

namespace idbench {
namespace {

/// A method that does with the plant what the test says.
class ScriptedExperiments : public ActiveEstimator {
 public:
  explicit ScriptedExperiments(std::function<void(Plant&)> script) : script_(std::move(script)) {}
  FieldTable Fields() override { return {}; }
  EstimatorNeeds needs() const override { return {.measurements = false}; }

 protected:
  Estimate Experiment(const Problem& problem, Plant& plant) override {
    script_(plant);
    Estimate estimate;
    estimate.x = Eigen::VectorXd::Ones(problem.parameters.size());
    return estimate;
  }

 private:
  std::function<void(Plant&)> script_;
};

Estimate RunOnRail(std::function<void(Plant&)> script) {
  const Synthetic robot("planar1");
  MeteredPlant rail(std::make_unique<Rail>(0.1), 100.0);
  return ScriptedExperiments(std::move(script)).Run(robot.problem, rail);
}

TEST_CASE("An active estimator gets the plant, and its result is checked like any other") {
  const Estimate estimate = RunOnRail([](Plant& plant) {
    CHECK(plant.info().dofs == 1);
    Reading reading;
    plant.MoveTo({Eigen::VectorXd::Zero(1), Eigen::VectorXd::Zero(1), {}}, reading);
    plant.Exchange(Command::Zero(1), reading);
  });
  CHECK(estimate.ok());
  REQUIRE(estimate.plant_use);
  CHECK(estimate.plant_use->experiments == 1);
  CHECK(estimate.plant_use->time_s == 0.1);
  CHECK(estimate.pi == Synthetic("planar1").problem.parameters.Pi(estimate.x));
}

TEST_CASE("What an active estimator meets is an outcome, not an exception") {
  const Estimate failed = RunOnRail([](Plant&) { throw PlantError("the drive is off"); });
  CHECK(failed.outcome == Outcome::kPlantFailed);
  CHECK(failed.reason == "the drive is off");
  const Estimate crashed = RunOnRail([](Plant&) { throw std::out_of_range("no such joint"); });
  CHECK(crashed.outcome == Outcome::kCrashed);
}

TEST_CASE("An active estimator has no use for recorded experiments") {
  const Synthetic robot("planar1");
  ScriptedExperiments method([](Plant&) {});
  const Estimate estimate = method.Run(robot.problem, std::span<const Dataset>());
  CHECK(estimate.outcome == Outcome::kRefused);
  CHECK(estimate.reason == "makes experiments of its own, and needs a plant");
}

}  // namespace
}  // namespace idbench
