#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>

namespace idbench {

/// What keys the random numbers of one channel in one experiment of one trial.
struct SensorKey {
  std::uint64_t seed = 0;
  std::int64_t trial = 0;
  std::string name;  ///< "<experiment>/<channel>", e.g. "identification/joint_torque".
};

/// One thing that a sensor does to what it measures.
///
/// Causal: a sample is changed knowing it and those before it. A cached roll-out and a live plant
/// go through the same calls.
class SensorEffect {
 public:
  virtual ~SensorEffect() = default;
  /// Begins an experiment: forgets the past; random numbers come from the stream
  /// "<key.name>/<effect>" from here on. Called before the first sample.
  virtual void Reset(const SensorKey& key) = 0;
  /// Changes the sample number `index` of time `t` [s], one entry per joint or component, in place.
  /// Samples come in order.
  /// @return whether there is a reading; if not, `sample` is the last one that there was.
  virtual bool Apply(double t, std::uint64_t index, Eigen::VectorXd& sample) = 0;
};

}  // namespace idbench
