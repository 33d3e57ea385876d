#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "robots/plant/signals.h"
#include "robots/recording/dataset.h"
#include "sim/sensor_effect.h"
#include "sim/sensors.h"

namespace idbench {

/// The effects that one channel's signal goes through, in order: delay, sine error, bias, noise,
/// quantisation, drop-outs.
class SensorChain {
 public:
  /// @param channel  resolved.
  /// @throws std::invalid_argument if it is not: see Resolve().
  template <class Quantity>
  explicit SensorChain(const ChannelSensorOptions<Quantity>& channel);

  void Reset(const SensorKey& key);
  /// @return whether there is a reading; if not, `sample` is the last one that there was.
  bool Apply(double t, std::uint64_t index, Eigen::VectorXd& sample);

 private:
  std::vector<std::unique_ptr<SensorEffect>> effects_;
};

/// What the sensors say of a roll-out.
///
/// A channel of origin `oracle` is the exact signal; `absent` is left out; a measured one without
/// effects is exact too, but stays measured. The noise of a sample is keyed by (seed, trial,
/// "<label>/<channel>/gaussian", joint, sample index) and by nothing else: another amplitude scales
/// the same draws, and no other channel, cell or estimator shifts them.
///
/// @param sensors  resolved. @param label  of the experiment.
/// @throws std::invalid_argument if `sensors` are not resolved for as many joints as `signals` has,
///         or want a signal that was not recorded.
Dataset Measure(const Signals& signals, const SensorOptions& sensors, std::uint64_t seed,
                std::int64_t trial, const std::string& label, Role role);

}  // namespace idbench
