#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "robots/plant/motion.h"
#include "robots/plant/plant_error.h"
#include "scenarios/options/capability.h"
#include "sim/sensors/sensors.h"
#include "sim/sensors/signals.h"
#include "sim/truth/scene.h"

namespace idbench {

/// The gain of a motor's drive drifts to 0 before the data end, however the robot moves.
class GainUsedUp : public PlantError {
 public:
  using PlantError::PlantError;
};

/// What computes signals of a roll-out beyond the motion and the joint torques of its plant. They
/// are costly, and computed only if they are requested.
struct SignalSource {
  std::string_view name;
  std::vector<std::string_view> channels;  ///< Whose signals it computes.
  Capabilities needs = {};                 ///< Where its sensor sits.
  /// Computes the signals of all samples from their time, motion and joint torques.
  /// @param desired  what the robot was to follow.
  /// @throws PlantError if a sensor cannot read; GainUsedUp.
  void (*add)(const Scene& scene, const Motion& desired, Signals& signals);
};

/// All of them. Where a sensor is to read what none computes, here is its place.
std::span<const SignalSource> SignalSources();

/// Requested ones, in the order of SignalSources().
using RequestedSources = std::vector<const SignalSource*>;

/// Returns the sources of the channels' signals; nothing for those that each roll-out has.
RequestedSources SourcesOf(std::span<const std::string_view> channels);
/// Returns the signals that the sensors read.
std::vector<std::string_view> SignalsOf(const SensorOptions& sensors);
/// Returns the sources of these signals.
RequestedSources SourcesOf(const SensorOptions& sensors);

}  // namespace idbench
