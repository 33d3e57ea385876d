#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>

namespace idbench {

/// Key of the random numbers of one channel in one experiment of one trial.
struct SensorKey {
  std::uint64_t seed = 0;
  std::int64_t trial = 0;
  std::string name;  ///< "<experiment>/<channel>", e.g. "identification/joint_torque".
  /// Name of what all readings of the channel in one experiment have in common, those that are fed
  /// back too: "<experiment>/<channel>". Empty: `name`.
  std::string run = {};

  const std::string& OfRun() const { return run.empty() ? name : run; }
};

/// One effect of a sensor on what it measures.
///
/// Causal: the change of a sample depends on it and on those before it. A cached roll-out and a
/// live plant make the same calls.
class SensorEffect {
 public:
  virtual ~SensorEffect() = default;
  /// Begins an experiment: forgets the past and draws random numbers from the stream
  /// "<key.name>/<effect>" from now on. Called before the first sample.
  virtual void Reset(const SensorKey& key) = 0;
  /// Changes sample number `index` at time `t` [s] in place, one entry per joint or component.
  /// Samples come in order.
  /// @return true if there is a reading; if not, `sample` becomes the last one that there was.
  virtual bool Apply(double t, std::uint64_t index, Eigen::VectorXd& sample) = 0;
};

}  // namespace idbench
