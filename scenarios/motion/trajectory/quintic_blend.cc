#include "scenarios/motion/trajectory/quintic_blend.h"

#include <fmt/format.h>

#include <stdexcept>

namespace idbench {

QuinticBlend::QuinticBlend(const JointState& from, const JointState& to, double duration_s)
    : duration_s_(duration_s), coefficients_(from.q.size(), 6) {
  if (from.q.size() != to.q.size() || !(duration_s_ > 0.0)) {
    throw std::invalid_argument(
        fmt::format("QuinticBlend: from {} joints to {} in {} s: expected the same joints, and a "
                    "positive duration",
                    from.q.size(), to.q.size(), duration_s_));
  }
  const double T = duration_s_;
  const double half_square = 0.5 * T * T;
  const Eigen::VectorXd way = to.q - from.q;
  coefficients_ << from.q, from.qd * T, from.qdd * half_square,
      10.0 * way - (6.0 * from.qd + 4.0 * to.qd) * T - (3.0 * from.qdd - to.qdd) * half_square,
      -15.0 * way + (8.0 * from.qd + 7.0 * to.qd) * T +
          (3.0 * from.qdd - 2.0 * to.qdd) * half_square,
      6.0 * way - 3.0 * (from.qd + to.qd) * T - (from.qdd - to.qdd) * half_square;
}

void QuinticBlend::Evaluate(double t, JointState& state) const {
  const double u = t / duration_s_;
  state.q = coefficients_.col(5);
  state.qd = 5.0 * coefficients_.col(5);
  state.qdd = 20.0 * coefficients_.col(5);
  for (int k = 4; k >= 0; --k) {
    state.q = u * state.q + coefficients_.col(k);
    if (k >= 1) state.qd = u * state.qd + k * coefficients_.col(k);
    if (k >= 2) state.qdd = u * state.qdd + k * (k - 1) * coefficients_.col(k);
  }
  state.qd /= duration_s_;
  state.qdd /= duration_s_ * duration_s_;
}

}  // namespace idbench
