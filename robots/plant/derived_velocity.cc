#include "robots/plant/derived_velocity.h"

#include <cmath>
#include <numbers>

namespace idbench {

void DerivedVelocity::Reset(const Eigen::VectorXd& qd) {
  last_q_.reset();
  qd_ = qd;
}

const Eigen::VectorXd& DerivedVelocity::Next(const ChannelReading& position) {
  if (last_q_) {
    const double period = position.t - last_t_;
    if (period <= 0.0) return qd_;
    const double alpha = 1.0 - std::exp(-2.0 * std::numbers::pi * cutoff_hz_ * period);
    qd_ += alpha * ((position.value - *last_q_) / period - qd_);
  }
  last_t_ = position.t;
  last_q_ = position.value;
  return qd_;
}

}  // namespace idbench
