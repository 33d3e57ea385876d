#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "robots/recording/dataset.h"
#include "sim/sensors/sensor_effect.h"
#include "sim/sensors/sensors.h"
#include "sim/sensors/signals.h"

namespace idbench {

/// Effects that one channel's signal passes through, in order: delay, sine error, calibration
/// error, bias, its shift, drift, noise, quantisation, drop-outs.
class SensorChain {
 public:
  /// @param channel  resolved.
  /// @throws std::invalid_argument if it is not resolved: see Resolve().
  explicit SensorChain(const ChannelSensorOptions& channel);

  void Reset(const SensorKey& key);
  /// Applies all effects to the sample, in place; see SensorEffect::Apply().
  /// @return true if there is a reading; if not, `sample` becomes the last one that there was.
  bool Apply(double t, std::uint64_t index, Eigen::VectorXd& sample);

 private:
  std::vector<std::unique_ptr<SensorEffect>> effects_;
};

/// Returns what the sensors read of a roll-out.
///
/// A channel of origin `oracle` is the exact signal; `absent` is left out; a measured channel
/// without effects is exact too, but stays measured. The noise of a sample is keyed by (seed,
/// trial, "<label>/<channel>/gaussian", joint, sample index) alone: another amplitude scales the
/// same draws, and no other channel, cell or estimator changes them.
///
/// Before the roll-out the robot moved otherwise, or stood still: until the longest delay of a
/// measured channel has passed, all channels have no samples. The clock of the dataset counts from
/// the roll-out's first sample nevertheless.
///
/// @param sensors  resolved.
/// @param label    of the experiment.
/// @throws std::invalid_argument if `sensors` are not resolved for as many joints as `signals` has,
///         or need a signal that was not recorded.
Dataset Measure(const Signals& signals, const SensorOptions& sensors, std::uint64_t seed,
                std::int64_t trial, const std::string& label, Role role);

}  // namespace idbench
