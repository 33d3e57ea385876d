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
    const int configuration = untrue.model.ConfigurationIndex(experiment.configuration);
    if (experiment.events.empty() && configuration <= 0) continue;
    TruthRecipe of_experiment = recipe;
    of_experiment.events = experiment.events;
    of_experiment.configuration = configuration;
    truth.loaded.emplace(&experiment, CompiledTruth(robot, std::move(of_experiment)));
  }
  return truth;
}

}  // namespace idbench
