#pragma once

#include <Eigen/Core>
#include <optional>

#include "robots/plant/reading.h"

namespace idbench {

/// Velocity of joints whose positions alone are read: the low-passed backward difference of the
/// readings y_k, times T_k apart,
///   v_k = v_(k−1) + α_k·((y_k − y_(k−1))/T_k − v_(k−1)),  α_k = 1 − exp(−2π·cutoff_hz·T_k).
class DerivedVelocity {
 public:
  /// @param cutoff_hz  of the low-pass; infinity: none.
  explicit DerivedVelocity(double cutoff_hz) : cutoff_hz_(cutoff_hz) {}

  /// Begins an experiment with v_0 = `qd`.
  void Reset(const Eigen::VectorXd& qd);
  /// Returns v_k. A position as old as the last one is no new reading.
  const Eigen::VectorXd& Next(const ChannelReading& position);

 private:
  double cutoff_hz_;
  double last_t_ = 0.0;
  std::optional<Eigen::VectorXd> last_q_;
  Eigen::VectorXd qd_;
};

}  // namespace idbench
