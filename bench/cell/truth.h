#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "scenarios/scenario_reader.h"
#include "sim/truth/compiled_truth.h"

namespace idbench {

/// Simulated robot, for the plant and for metrics.
struct Truth {
  Eigen::VectorXd pi;  ///< True parameters, made physical.
  CompiledTruth robot;
  /// The robot with payloads, for each experiment that has events or is not in the first
  /// configuration.
  std::map<const ExperimentOptions*, CompiledTruth> loaded;
  std::vector<std::string> made_physical;  ///< Bodies that had to be made physical.

  /// Returns the robot of an experiment, with its payloads and in its configuration.
  const CompiledTruth& Of(const ExperimentOptions& experiment) const;
};

/// Makes the simulated robot of a trial.
/// @param robot, scenario  of the cell, a simulation; must outlive the result.
/// @throws ConfigError if MuJoCo refuses a value.
Truth MakeTruth(const HashedRobot& robot, const Scenario& scenario, std::uint64_t seed,
                std::int64_t trial);

}  // namespace idbench
