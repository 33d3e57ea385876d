#pragma once

#include <Eigen/Core>

#include "robots/plant/motion.h"

namespace idbench {

/// How joints lag behind the position q_d that they are told, as under joint impedance:
///   q̈ = ω²·(q_d − q) − 2ζω·q̇.
struct JointLag {
  Eigen::VectorXd rad_s;          ///< ω, n [rad/s]; empty: q = q_d.
  Eigen::VectorXd damping_ratio;  ///< ζ, n.

  bool any() const { return rad_s.size() > 0; }
};

/// Returns the rate at which a free response decays last, or goes round: ω for ζ ≤ 1, else
/// ω/(ζ + √(ζ² − 1)) [rad/s].
double SlowestRate(double rad_s, double damping_ratio);

/// What joints with a lag do while they are told a quintic step of duration T from one point to
/// another, q_d(t) = p + s(t/T)·(p' − p) with the s of EvaluateQuinticStep(), and its exact
/// derivatives. Without a lag that is q_d itself.
///
/// With u = t/T it is the sum of a polynomial Σ_k c_k·u^k, k = 0 … 5, which solves the equation of
/// the lag for the d_k of q_d,
///   c_k = d_k − 2ζ/(ωT)·(k + 1)·c_(k+1) − (k + 1)(k + 2)/(ωT)²·c_(k+2),
/// and of a free response that begins with what the state has beside it, x₀ and v₀: with σ = ζω and
/// ω_d = ω√(1 − ζ²),
///   x(t) = e^(−σt)·(x₀·cos ω_d t + (v₀ + σx₀)·sin(ω_d t)/ω_d),
/// for ζ ≥ 1 with cosh and sinh, or their limits. Its rounding error is below
/// 1e-12·max(1, 1/(rT)⁵)·|p' − p| with r = SlowestRate().
class LaggedStep {
 public:
  /// @param from, to  p and p', n.
  /// @param state     at the beginning; its accelerations are not read, nor is it without a lag.
  /// @throws std::invalid_argument for other sizes, or unless the duration, ω and ζ are positive.
  LaggedStep(const Eigen::VectorXd& from, const Eigen::VectorXd& to, double duration_s,
             const JointLag& lag, const JointState& state);

  double duration_s() const { return duration_s_; }
  /// Writes the state at time t since the beginning [s], 0 ≤ t ≤ T, or t ≥ 0 if `to` is `from`.
  /// @param lag  that of the constructor.
  /// Allocates nothing. O(n).
  void Evaluate(double t, const JointLag& lag, JointState& state) const;

 private:
  double duration_s_;
  Eigen::Matrix<double, Eigen::Dynamic, 6> coefficients_;  ///< c, n × 6.
  Eigen::VectorXd x0_, v0_;                                ///< n, without a lag empty.
};

}  // namespace idbench
