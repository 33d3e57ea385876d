#include "bench/cell/truth.h"

#include <utility>

#include "robots/physical_inertia.h"
#include "scenarios/problem/drawn_set.h"

namespace idbench {

const CompiledTruth& Truth::Of(const ExperimentOptions& experiment) const {
  const auto found = loaded.find(&experiment);
  return found == loaded.end() ? robot : found->second;
}

Truth MakeTruth(const HashedRobot& robot, const Scenario& scenario, std::uint64_t seed,
                std::int64_t trial) {
  const TruthOptions& options = *scenario.robot.truth;
  const Robot& untrue = robot.robot();
  PhysicalParameters physical =
      MakePhysical(untrue.model, DrawTrueSet(untrue, options, seed, trial));
  options.joints.ApplyTo(ParameterLayout(untrue.model), physical.pi);
  const TruthRecipe recipe{.pi = physical.pi,
                           .plant = std::get<MujocoPlantOptions>(*scenario.plant),
                           .joints = options.joints,
                           .events = {},
                           .imu_offset_L = Eigen::Vector3d(options.imu_offset_m.data())};
  Truth truth{physical.pi, CompiledTruth(robot, recipe), {}, std::move(physical.changed)};
  for (const auto& [label, experiment] : scenario.experiments) {
    if (experiment.events.empty()) continue;
    TruthRecipe with_events = recipe;
    with_events.events = experiment.events;
    truth.loaded.emplace(&experiment, CompiledTruth(robot, std::move(with_events)));
  }
  return truth;
}

}  // namespace idbench
