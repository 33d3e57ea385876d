#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "estimators/interface/problem.h"
#include "scenarios/scenario_reader.h"
#include "sim/truth/compiled_truth.h"

namespace idbench {

/// What estimators know of a robot before any data. Nothing in it comes from the truth.
struct PriorKnowledge {
  Problem problem;
  Eigen::VectorXd prior_pi;  ///< Parameter set of its prior; empty without a prior.
};

/// Simulated robot, for the plant and for metrics.
struct Truth {
  Eigen::VectorXd pi;  ///< True parameters, made physical.
  CompiledTruth robot;
  /// The robot with payloads, for each experiment that has events.
  std::map<const ExperimentOptions*, CompiledTruth> loaded;
  std::vector<std::string> made_physical;  ///< Bodies that had to be made physical.

  /// Returns the robot of an experiment, with its payloads.
  const CompiledTruth& Of(const ExperimentOptions& experiment) const;
};

/// Returns what estimators know in a trial.
/// @param problem   of the scenario, without the errors of a prior.
/// @param scenario  of the cell.
PriorKnowledge KnowledgeOf(const Problem& problem, const Robot& robot, const Scenario& scenario,
                           std::uint64_t seed, std::int64_t trial);

/// Makes the simulated robot of a trial.
/// @param robot, scenario  of the cell, a simulation; must outlive the result.
/// @throws ConfigError if MuJoCo refuses a value.
Truth MakeTruth(const HashedRobot& robot, const Scenario& scenario, std::uint64_t seed,
                std::int64_t trial);

}  // namespace idbench
