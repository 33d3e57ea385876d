#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <deque>

#include "sim/sensor_effect.h"

namespace idbench {

/// A reading of what was earlier, x(t) ← x(t − d).
///
/// Between two samples it is interpolated linearly: where the delay is no whole number of sample
/// periods T, that is off by at most ẍ·T²/8. Before there is a sample as old as that, the reading
/// is the first one.
class Delay : public SensorEffect {
 public:
  /// @param delay_s  d. @throws std::invalid_argument for one that is negative or not finite.
  explicit Delay(double delay_s);

  void Reset(const SensorKey&) override { past_.clear(); }
  bool Apply(double t, std::uint64_t index, Eigen::VectorXd& sample) override;

 private:
  struct Sample {
    double t;
    Eigen::VectorXd value;
  };

  double delay_s_;
  std::deque<Sample> past_;  ///< The last one that is not later than t − d, and all since.
};

}  // namespace idbench
