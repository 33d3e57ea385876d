#include "scenarios/motion/trajectory/lagged_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace idbench {
namespace {

/// e^(−σt)·cos ω_d t and e^(−σt)·sin(ω_d t)/ω_d, or what they are for ζ ≥ 1.
struct FreeResponse {
  double cosine = 0.0;
  double sine = 0.0;
};

FreeResponse FreeResponseAt(double t, double omega, double zeta) {
  if (zeta < 1.0) {
    const double damped = omega * std::sqrt(1.0 - zeta * zeta);
    const double decay = std::exp(-zeta * omega * t);
    return {decay * std::cos(damped * t), decay * std::sin(damped * t) / damped};
  }
  // e^(−σt)·cosh μt and e^(−σt)·sinh(μt)/μ with μ = ω√(ζ² − 1): of e^((μ−σ)t) and e^(−2μt), as cosh
  // alone overflows and μ − σ cancels.
  const double root = std::sqrt(zeta * zeta - 1.0);
  const double decay = std::exp(-omega * t / (zeta + root));
  const double faster = std::expm1(-2.0 * omega * root * t);
  return {decay * (1.0 + 0.5 * faster),
          root > 0.0 ? -decay * faster / (2.0 * omega * root) : decay * t};
}

}  // namespace

double SlowestRate(double rad_s, double damping_ratio) {
  const double excess = std::max(damping_ratio, 1.0);
  return rad_s / (excess + std::sqrt(excess * excess - 1.0));
}

LaggedStep::LaggedStep(const Eigen::VectorXd& from, const Eigen::VectorXd& to, double duration_s,
                       const JointLag& lag, const JointState& state)
    : duration_s_(duration_s), coefficients_(from.size(), 6) {
  const Eigen::Index n = from.size();
  const bool fits =
      to.size() == n && (!lag.any() || (lag.rad_s.size() == n && lag.damping_ratio.size() == n &&
                                        state.q.size() == n && state.qd.size() == n));
  if (!fits || !(duration_s_ > 0.0)) {
    throw std::invalid_argument(fmt::format(
        "LaggedStep: from {} joints to {} in {} s, with lags of {} and {}, in a state "
        "of {}: expected the same joints, and a positive duration",
        n, to.size(), duration_s_, lag.rad_s.size(), lag.damping_ratio.size(), state.q.size()));
  }
  const Eigen::VectorXd way = to - from;
  coefficients_ << from, Eigen::VectorXd::Zero(n), Eigen::VectorXd::Zero(n), 10.0 * way,
      -15.0 * way, 6.0 * way;
  if (!lag.any()) return;
  if (!(lag.rad_s.minCoeff() > 0.0) || !(lag.damping_ratio.minCoeff() > 0.0)) {
    throw std::invalid_argument("LaggedStep: frequencies and damping ratios must be positive");
  }
  const Eigen::ArrayXd first = 2.0 * lag.damping_ratio.array() / (lag.rad_s.array() * duration_s_);
  const Eigen::ArrayXd second = (lag.rad_s.array() * duration_s_).square().inverse();
  for (int k = 4; k >= 0; --k) {
    coefficients_.col(k).array() -= (k + 1) * first * coefficients_.col(k + 1).array();
    if (k == 4) continue;
    coefficients_.col(k).array() -= (k + 1) * (k + 2) * second * coefficients_.col(k + 2).array();
  }
  x0_ = state.q - coefficients_.col(0);
  v0_ = state.qd - coefficients_.col(1) / duration_s_;
}

void LaggedStep::Evaluate(double t, const JointLag& lag, JointState& state) const {
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
  for (Eigen::Index j = 0; j < x0_.size(); ++j) {
    const double omega = lag.rad_s[j];
    const double sigma = lag.damping_ratio[j] * omega;
    const auto [cosine, sine] = FreeResponseAt(t, omega, lag.damping_ratio[j]);
    // x as in the header; ẋ = e^(−σt)·(v₀·cos ω_d t − (σv₀ + ω²x₀)·sin(ω_d t)/ω_d); ẍ = −2σẋ − ω²x.
    const double x = x0_[j] * cosine + (v0_[j] + sigma * x0_[j]) * sine;
    const double xd = v0_[j] * cosine - (sigma * v0_[j] + omega * omega * x0_[j]) * sine;
    state.q[j] += x;
    state.qd[j] += xd;
    state.qdd[j] -= 2.0 * sigma * xd + omega * omega * x;
  }
}

}  // namespace idbench
