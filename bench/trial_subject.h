#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "estimators/problem.h"
#include "scenarios/scenario_reader.h"
#include "sim/true_robot.h"

namespace idbench {

/// What estimators are given of a robot before any data. Nothing in it comes from the truth.
struct PriorKnowledge {
  Problem problem;
  Eigen::VectorXd prior_pi;  ///< The set behind its prior; empty without one.
};

/// The simulated robot: for the plant and for metrics.
struct Truth {
  Eigen::VectorXd pi;  ///< Its parameters, made physical.
  TrueRobot robot;
  /// The same with the payloads of the experiments that have events.
  std::map<const ExperimentOptions*, TrueRobot> loaded;
  std::vector<std::string> made_physical;  ///< Bodies that no body could be, before.

  const TrueRobot& Of(const ExperimentOptions& experiment) const;
};

/// @param problem   of the scenario, without the errors of a prior.
/// @param scenario  of the cell.
PriorKnowledge KnowledgeOf(const Problem& problem, const Robot& robot, const Scenario& scenario,
                           std::uint64_t seed, std::int64_t trial);

/// @param scenario  of the cell, a simulation; must outlive the result.
/// @throws ConfigError where MuJoCo refuses a value.
Truth MakeTruth(const Robot& robot, const Scenario& scenario, std::uint64_t seed,
                std::int64_t trial);

}  // namespace idbench
