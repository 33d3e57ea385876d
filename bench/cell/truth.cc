#include "bench/cell/truth.h"

#include <algorithm>
#include <utility>

#include "robots/physical_inertia.h"
#include "scenarios/problem/drawn_set.h"
#include "sim/truth/motor.h"

namespace idbench {

const CompiledTruth& Truth::Of(const ExperimentOptions& experiment) const {
  const auto found = loaded.find(&experiment);
  return found == loaded.end() ? robot : found->second;
}

namespace {

/// Gains are those of the simulated motors.
void SetGains(const Scenario& scenario, const RobotModel& model, Eigen::VectorXd& pi) {
  for (const EquationOptions& equation : scenario.problem.equations) {
    const EquationInfo& info = InfoOf(equation.type);
    if (info.rows != RowsFrom::kDriveRows) continue;
    Eigen::Index k = pi.size() - std::ssize(model.terms());
    for (const Term& term : model.terms()) {
      if (term.rows == TermRows::kDrives) {
        pi[k] = DriveGain(scenario.robot.truth->joints.motor, static_cast<std::size_t>(term.input),
                          info.channel);
      }
      ++k;
    }
  }
}

}  // namespace

Truth MakeTruth(const HashedRobot& robot, const Scenario& scenario, std::uint64_t seed,
                std::int64_t trial) {
  const TruthOptions& options = *scenario.robot.truth;
  const Robot& untrue = robot.robot();
  PhysicalParameters physical =
      MakePhysical(untrue.model, DrawTrueSet(untrue, options, seed, trial));
  options.joints.ApplyTo(ParameterLayout(untrue.model), physical.pi);
  SetGains(scenario, untrue.model, physical.pi);
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
