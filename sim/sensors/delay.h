#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <deque>

#include "sim/sensors/sensor_effect.h"

namespace idbench {

/// Delayed reading, x(t) ← x(t − d).
///
/// Interpolates linearly between two samples; if the delay is not a whole number of sample periods
/// T, the error is at most ẍ·T²/8. Until there is a sample that old, the reading is the first one:
/// what a controller has to begin with. Measure() makes no data of such readings.
class Delay : public SensorEffect {
 public:
  /// @param delay_s  d [s].
  /// @throws std::invalid_argument if it is negative or not finite.
  explicit Delay(double delay_s);

  void Reset(const SensorKey&) override { past_.clear(); }
  bool Apply(double t, std::uint64_t index, Eigen::VectorXd& sample) override;

 private:
  struct Sample {
    double t;
    Eigen::VectorXd value;
  };

  double delay_s_;
  std::deque<Sample> past_;  ///< The last sample that is not later than t − d, and all since.
};

}  // namespace idbench
