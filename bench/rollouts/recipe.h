#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include "robots/plant/motion.h"
#include "scenarios/motion/options.h"
#include "sim/sensors/sensor_effect.h"
#include "sim/sensors/sensors.h"
#include "sim/sensors/signals.h"
#include "sim/signal_sources.h"
#include "sim/truth/compiled_truth.h"
#include "sim/truth/environment.h"

namespace idbench {

/// What a controller is fed back, instead of the true state.
struct FeedbackRecipe {
  SensorOptions sensors;  ///< Resolved.
  SensorKey noise;        ///< Its name is "<experiment>/feedback".
};

/// Everything that decides a roll-out: Simulate() takes nothing else, and KeyOf() hashes all of it.
///
/// It holds what was designed, drawn and read, not the wishes behind that: roll-outs are shared by
/// all whose recipes are the same, whatever led to them.
struct Recipe {
  const CompiledTruth& truth;  ///< The robot that moves, payloads included; must outlive this.
  const Motion& motion;        ///< Desired; of open-loop torque its initial state. Likewise.
  ControlOptions control;      ///< Without the name of a file: what that holds is `torque`.
  std::optional<TimedTable> torque = std::nullopt;  ///< See ReadTorqueTable().
  Eigen::VectorXd control_pi = {};  ///< Parameters that a controller calculates with, or empty.
  double rate_hz = 100.0;           ///< Of the sensors.
  RequestedSources signals = {};    ///< Beyond motion and joint torques.
  std::optional<FeedbackRecipe> feedback = std::nullopt;
  std::optional<Environment> environment = std::nullopt;  ///< What touches the robot.
  std::optional<ReleaseOptions> release = std::nullopt;   ///< What follows the motion.
};

/// Equal for equal recipes alone, as far as 128 bits of hash tell; the same in every process.
std::string KeyOf(const Recipe& recipe);

/// The roll-out. @throws PlantError if it fails.
Signals Simulate(const Recipe& recipe);

}  // namespace idbench
