#include "robots/plant/metered_plant.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace idbench {

MeteredPlant::MeteredPlant(std::unique_ptr<Plant> plant, double longest_use_s)
    : plant_(std::move(plant)), longest_use_s_(longest_use_s) {}

PlantUse MeteredPlant::use() const {
  return {.experiments = experiments_,
          .falls = falls_,
          .time_s = static_cast<double>(exchanges_) * info().period_s};
}

void MeteredPlant::MoveTo(const ExperimentStart& start, Reading& reading) {
  const int n = info().dofs;
  const auto is_of_joints = [n](const Eigen::VectorXd& values) {
    return values.size() == n && values.allFinite();
  };
  if (!is_of_joints(start.q) || !is_of_joints(start.qd)) {
    throw std::invalid_argument(
        fmt::format("an experiment begins with {} finite positions and as many velocities", n));
  }
  if (!info().starts_moving && !start.qd.isZero(0.0)) {
    throw std::invalid_argument("experiments of this plant begin at rest");
  }
  for (const PositionLimit& limit : start.limits) {
    if (is_of_joints(limit.c) && limit.greatest >= 0.0) continue;
    throw std::invalid_argument(fmt::format(
        "a limit of an experiment has {} finite coefficients and a bound of at least 0", n));
  }
  ++experiments_;
  plant_->MoveTo(start, reading);
}

ExperimentState MeteredPlant::Exchange(const Command& command, Reading& reading) {
  if (std::ranges::find(info().modes, command.mode) == info().modes.end()) {
    throw std::invalid_argument("the plant has no such mode of commands");
  }
  if (command.value.size() != info().dofs) {
    throw std::invalid_argument(
        fmt::format("a command to this plant has one number for each of {} "
                    "joints, and this one has {}",
                    info().dofs, command.value.size()));
  }
  if (!command.value.allFinite()) {
    throw std::invalid_argument("a command is not finite: the control that gave it runs away");
  }
  if (use().time_s >= longest_use_s_) {
    throw PlantError(
        fmt::format("the plant was in use for {} s in {} experiments, and is taken away",
                    longest_use_s_, experiments_));
  }
  ++exchanges_;
  const ExperimentState state = plant_->Exchange(command, reading);
  if (state == ExperimentState::kFell) ++falls_;
  return state;
}

}  // namespace idbench
