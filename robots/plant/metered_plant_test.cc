#include "robots/plant/metered_plant.h"

#include <doctest/doctest.h>

#include <limits>
#include <memory>
#include <stdexcept>

#include "robots/plant/rail_test.h"

namespace idbench {
namespace {

const Eigen::VectorXd kOne = Eigen::VectorXd::Ones(1);
const Eigen::VectorXd kStill = Eigen::VectorXd::Zero(1);

TEST_CASE("A metered plant counts experiments, falls and the time of commands") {
  MeteredPlant plant(std::make_unique<Rail>(0.1), 100.0);
  CHECK(plant.info().dofs == 1);
  Reading reading;
  const Command none = Command::Zero(1);  // it falls by 3/4·t²
  plant.MoveTo({kStill, kStill, {{kOne, 0.0, 0.1}}}, reading);
  int exchanges = 1;
  while (plant.Exchange(none, reading) == ExperimentState::kRunning) ++exchanges;
  CHECK(exchanges == 4);
  plant.MoveTo({kOne, kStill, {}}, reading);
  CHECK(reading[kJointPosition](0) == 1.0);
  CHECK(plant.Exchange(none, reading) == ExperimentState::kRunning);
  const PlantUse use = plant.use();
  CHECK(use.experiments == 2);
  CHECK(use.falls == 1);
  CHECK(use.time_s == 5 * 0.1);
}

TEST_CASE("A plant is taken away after its time, whatever is asked of it") {
  MeteredPlant plant(std::make_unique<Rail>(0.1), 0.3);
  Reading reading;
  const Command none = Command::Zero(1);
  plant.MoveTo({kStill, kStill, {}}, reading);
  for (int k = 0; k < 3; ++k) plant.Exchange(none, reading);
  plant.MoveTo({kStill, kStill, {}}, reading);
  CHECK_THROWS_WITH_AS(plant.Exchange(none, reading),
                       "the plant was in use for 0.3 s in 2 experiments, and is taken away",
                       PlantError);
}

TEST_CASE("Starts and commands that no plant takes are refused") {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  MeteredPlant plant(std::make_unique<Rail>(0.1), 1.0);
  Reading reading;
  const Eigen::VectorXd nan = kNan * kOne;
  for (const ExperimentStart& start :
       {ExperimentStart{nan, kStill, {}}, ExperimentStart{kStill, Eigen::VectorXd::Zero(2), {}},
        ExperimentStart{kStill, kStill, {{nan, 0.0, 1.0}}},
        ExperimentStart{kStill, kStill, {{kOne, 0.0, kNan}}},
        ExperimentStart{kStill, kStill, {{kOne, 0.0, -1.0}}}}) {
    CHECK_THROWS_AS(plant.MoveTo(start, reading), std::invalid_argument);
  }
  plant.MoveTo({kStill, kStill, {}}, reading);
  for (const Command& command : {Command::Zero(2), Command::Zero(1, CommandMode::kVelocity),
                                 Command{CommandMode::kTorque, nan}}) {
    CHECK_THROWS_AS(plant.Exchange(command, reading), std::invalid_argument);
  }
  CHECK(plant.use().experiments == 1);
  CHECK(plant.use().time_s == 0.0);
}

TEST_CASE("A plant that begins at rest refuses a push") {
  class Heavy : public Rail {
   public:
    Heavy() : Rail(0.1) {
      info_ = Rail::info();
      info_.starts_moving = false;
    }
    const PlantInfo& info() const override { return info_; }

   private:
    PlantInfo info_;
  };
  MeteredPlant plant(std::make_unique<Heavy>(), 1.0);
  Reading reading;
  CHECK_THROWS_WITH_AS(plant.MoveTo({kStill, kOne, {}}, reading),
                       "experiments of this plant begin at rest", std::invalid_argument);
}

}  // namespace
}  // namespace idbench
