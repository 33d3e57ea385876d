#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "sim/sensors/sensor_effect.h"

namespace idbench {

/// Reading in whole steps, x ← Δ_j·round(x/Δ_j); Δ = 0 leaves a joint unchanged.
class Quantisation : public SensorEffect {
 public:
  /// @param step  Δ, one per joint, in the channel's unit.
  /// @throws std::invalid_argument if one is negative or not finite.
  explicit Quantisation(Eigen::VectorXd step);

  void Reset(const SensorKey&) override {}
  bool Apply(double t, std::uint64_t index, Eigen::VectorXd& sample) override;

 private:
  Eigen::VectorXd step_;
};

}  // namespace idbench
