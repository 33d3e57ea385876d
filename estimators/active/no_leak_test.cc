#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "estimators/active/chain_plant_test.h"
#include "estimators/interface/active_estimator.h"
#include "estimators/registry.h"

namespace idbench {
namespace {

/// What passed through a plant.
struct Tape {
  std::vector<Reading> readings;
  std::vector<ExperimentState> states;
  std::vector<Command> commands;
  std::vector<ExperimentStart> starts;
};

/// A plant, taped.
class TapedPlant : public ChainPlant {
 public:
  TapedPlant(Tape& tape, const PlanarLagrangian& lagrangian, Eigen::VectorXd beta, double coulomb)
      : ChainPlant(lagrangian, std::move(beta), coulomb), tape_(tape) {}
  void MoveTo(const ExperimentStart& start, Reading& reading) override {
    ChainPlant::MoveTo(start, reading);
    tape_.starts.push_back(start);
    tape_.readings.push_back(reading);
  }
  ExperimentState Exchange(const Command& command, Reading& reading) override {
    const ExperimentState state = ChainPlant::Exchange(command, reading);
    tape_.commands.push_back(command);
    tape_.states.push_back(state);
    tape_.readings.push_back(reading);
    return state;
  }

 private:
  Tape& tape_;
};

/// No robot at all: what was read of another one.
class TapePlayer : public Plant {
 public:
  TapePlayer(const Tape& tape, PlantInfo info) : tape_(tape), info_(std::move(info)) {}
  const PlantInfo& info() const override { return info_; }
  void MoveTo(const ExperimentStart& start, Reading& reading) override {
    REQUIRE(starts_ < tape_.starts.size());
    CHECK(start.q == tape_.starts[starts_].q);
    CHECK(start.qd == tape_.starts[starts_++].qd);
    reading = tape_.readings[readings_++];
  }
  ExperimentState Exchange(const Command& command, Reading& reading) override {
    REQUIRE(exchanges_ < tape_.states.size());
    CHECK(command.value == tape_.commands[exchanges_].value);
    reading = tape_.readings[readings_++];
    return tape_.states[exchanges_++];
  }

 private:
  const Tape& tape_;
  PlantInfo info_;
  std::size_t starts_ = 0, exchanges_ = 0, readings_ = 0;
};

TEST_CASE("An active estimator knows nothing of a robot but what its plant reads") {
  RodsProblem of(1, 1.1);
  int methods = 0;
  for (const EstimatorEntry& entry : EstimatorRegistry()) {
    const std::unique_ptr<Estimator> method = entry.make();
    auto* const active = dynamic_cast<ActiveEstimator*>(method.get());
    if (active == nullptr) continue;
    CAPTURE(entry.type);
    ++methods;
    Tape tape;
    auto taped = std::make_unique<TapedPlant>(tape, of.lagrangian(), of.truth, 0.0);
    const PlantInfo info = taped->info();
    MeteredPlant plant(std::move(taped), 1e5);
    const Estimate estimate = active->Run(of.problem, plant);
    REQUIRE(estimate.ok());
    MeteredPlant player(std::make_unique<TapePlayer>(tape, info), 1e5);
    const Estimate again = active->Run(of.problem, player);
    CHECK(again.x == estimate.x);
    CHECK(again.diagnostics == estimate.diagnostics);
    CHECK(again.covariance.has_value() == estimate.covariance.has_value());
    if (again.covariance) CHECK(*again.covariance == *estimate.covariance);
  }
  CHECK(methods >= 3);
}

}  // namespace
}  // namespace idbench
