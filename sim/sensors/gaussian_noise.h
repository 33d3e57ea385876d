#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "robots/random/random_stream.h"
#include "sim/sensors/sensor_effect.h"

namespace idbench {

/// White Gaussian noise, x ← x + σ_j·z, with z the unit draw of (seed, trial, "<name>/gaussian",
/// joint j, sample index): another σ scales the same draws.
class GaussianNoise : public SensorEffect {
 public:
  /// @param std  σ, one per joint, in the channel's unit.
  /// @throws std::invalid_argument if one is negative or not finite.
  explicit GaussianNoise(Eigen::VectorXd std);

  void Reset(const SensorKey& key) override;
  bool Apply(double t, std::uint64_t index, Eigen::VectorXd& sample) override;

 private:
  Eigen::VectorXd std_;
  RandomStream stream_{0, 0, ""};
};

}  // namespace idbench
