#include "bench/trial_subject.h"

#include <utility>

#include "robots/physical_inertia.h"
#include "scenarios/drawn_set.h"
#include "scenarios/problem_builder.h"
#include "sim/compile_truth.h"

namespace idbench {

const TrueRobot& Truth::Of(const ExperimentOptions& experiment) const {
  const auto found = loaded.find(&experiment);
  return found == loaded.end() ? robot : found->second;
}

PriorKnowledge KnowledgeOf(const Problem& problem, const Robot& robot, const Scenario& scenario,
                           std::uint64_t seed, std::int64_t trial) {
  if (!scenario.problem.prior) return {problem, {}};
  Eigen::VectorXd pi = DrawPriorSet(robot, *scenario.problem.prior, seed, trial);
  Problem drawn = WithPrior(problem, robot, scenario.problem, pi);
  return {std::move(drawn), std::move(pi)};
}

Truth MakeTruth(const Robot& robot, const Scenario& scenario, std::uint64_t seed,
                std::int64_t trial) {
  const auto& plant = std::get<MujocoPlantOptions>(*scenario.plant);
  const TrueJointOptions& joints = scenario.robot.truth->joints;
  PhysicalParameters physical =
      MakePhysical(robot.model, DrawTrueSet(robot, *scenario.robot.truth, seed, trial));
  joints.ApplyTo(physical.pi);
  const Eigen::Vector3d imu_offset_L(scenario.robot.truth->imu_offset_m.data());
  Truth truth{physical.pi,
              CompileTruth(robot, physical.pi, plant, joints, {}, imu_offset_L),
              {},
              std::move(physical.changed)};
  for (const auto& [label, experiment] : scenario.experiments) {
    if (experiment.events.empty()) continue;
    truth.loaded.emplace(&experiment,
                         CompileTruth(robot, truth.pi, plant, joints,
                                      MakePayloads(experiment.events, robot.model), imu_offset_L));
  }
  return truth;
}

}  // namespace idbench
