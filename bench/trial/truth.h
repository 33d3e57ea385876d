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
  /// True parameters, made physical, as the equations have them: gains are those of the motors;
  /// calibrations are those of a trial's sensors, see SetCalibrations();
  /// offsets that are estimated include the bias of the sensors, which acts in the same way; of
  /// equations of duty cycles, viscous friction includes the back-EMF, which acts in the same way;
  /// links include payloads that they carry throughout.
  /// The simulated robot's own stand in its recipe.
  Eigen::VectorXd pi;
  CompiledTruth robot;
  /// The robot with payloads, for each experiment that has events or is not in the first
  /// configuration.
  std::map<const ExperimentOptions*, CompiledTruth> loaded;
  std::vector<std::string> made_physical;       ///< Bodies that had to be made physical.
  std::vector<std::string> with_back_emf = {};  ///< Friction in `pi` that includes back-EMF.
  /// Offsets in `pi` that include a bias: the constant one, never its shift from experiment to
  /// experiment, nor a drift.
  std::vector<std::string> with_bias = {};
  /// Motors whose back-EMF is in equations of duty cycles, but in no friction that is estimated.
  std::vector<std::string> back_emf_left_out = {};

  /// Returns why estimates do not predict the joints' torques: their friction includes back-EMF.
  /// Empty if they do.
  std::string WhyNoJointTorques() const;
  /// Returns the robot of an experiment, with its payloads and in its configuration.
  const CompiledTruth& Of(const ExperimentOptions& experiment) const;
};

/// Makes the simulated robot of a trial.
/// @param robot, scenario  of the cell, a simulation; must outlive the result.
/// @throws ConfigError if MuJoCo refuses a value.
Truth MakeTruth(const HashedRobot& robot, const Scenario& scenario, std::uint64_t seed,
                std::int64_t trial);

/// Sets the true calibrations of a trial's force/torque sensors, of which the model has terms: a
/// sensor that reads (1 + E)·(W·π + o) + b has 1 + D = (1 + E)⁻¹, and where an offset includes its
/// bias b that is o + (1 + D)·b.
/// @param key  of the trial's sensors.
void SetCalibrations(const Scenario& scenario, const Robot& robot, const SensorKey& key,
                     Truth& truth);

}  // namespace idbench
