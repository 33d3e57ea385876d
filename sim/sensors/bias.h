#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <utility>

#include "sim/sensors/sensor_effect.h"

namespace idbench {

/// Constant error, x ← x + b_j.
class Bias : public SensorEffect {
 public:
  /// @param bias  b, one per joint, in the channel's unit.
  explicit Bias(Eigen::VectorXd bias) : bias_(std::move(bias)) {}

  void Reset(const SensorKey&) override {}
  bool Apply(double t, std::uint64_t index, Eigen::VectorXd& sample) override;

 private:
  Eigen::VectorXd bias_;
};

}  // namespace idbench
