#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "sim/sensors/sensor_effect.h"

namespace idbench {

/// Zero that is another in each experiment, x ← x + σ_j·z_j, with z_j the unit draw of (seed,
/// trial, "<run>/bias_shift", joint j, 0), see SensorKey::run: a controller is fed back the same
/// one that the data have.
class BiasShift : public SensorEffect {
 public:
  /// @param std  σ, one per joint, in the channel's unit.
  /// @throws std::invalid_argument if one is negative or not finite.
  explicit BiasShift(Eigen::VectorXd std);

  void Reset(const SensorKey& key) override;
  bool Apply(double t, std::uint64_t index, Eigen::VectorXd& sample) override;

 private:
  Eigen::VectorXd std_;
  Eigen::VectorXd shift_;  ///< Of the experiment; 0 before the first.
};

}  // namespace idbench
