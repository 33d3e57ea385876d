#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "robots/plant/plant.h"

namespace idbench {

/// What was asked of a plant.
struct PlantUse {
  std::int64_t experiments = 0;
  std::int64_t falls = 0;
  double time_s = 0.0;  ///< In which the robot moved under command.
};

/// Plant that counts what is asked of another one, and refuses what no plant takes.
class MeteredPlant : public Plant {
 public:
  /// @param longest_use_s  time after which the plant is taken away.
  MeteredPlant(std::unique_ptr<Plant> plant, double longest_use_s);

  const PlantInfo& info() const override { return plant_->info(); }
  /// @throws std::invalid_argument also for numbers that are not finite or not one for each joint,
  ///         a velocity that the plant does not set, and limits that are none.
  void MoveTo(const ExperimentStart& start, Reading& reading) override;
  /// @throws std::invalid_argument also for a mode that the plant has not, and torques that are not
  ///         finite.
  /// @throws PlantError also when its time is used up.
  ExperimentState Exchange(const Command& command, Reading& reading) override;

  /// Returns what was asked so far.
  PlantUse use() const;

 private:
  std::unique_ptr<Plant> plant_;
  double longest_use_s_;
  std::int64_t experiments_ = 0, falls_ = 0, exchanges_ = 0;
};

/// Makes a plant on which nothing was done yet.
using PlantSource = std::function<std::unique_ptr<MeteredPlant>()>;

}  // namespace idbench
