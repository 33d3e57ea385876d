#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <utility>

#include "sim/sensors/sensor_effect.h"

namespace idbench {

/// Error of a rotary sensor mounted off its axis, x ← x + a_j·sin(x): one period per turn.
class SineError : public SensorEffect {
 public:
  /// @param amplitude  a, one per joint [rad].
  explicit SineError(Eigen::VectorXd amplitude) : amplitude_(std::move(amplitude)) {}

  void Reset(const SensorKey&) override {}
  bool Apply(double t, std::uint64_t index, Eigen::VectorXd& sample) override;

 private:
  Eigen::VectorXd amplitude_;
};

}  // namespace idbench
