#pragma once

#include <Eigen/Core>

#include "robots/plant/motion.h"

namespace idbench {

/// Quintic polynomial of each joint from one state to another, with u = t/T:
///   q(t) = Σ_k c_k·u^k, k = 0 … 5,
/// and its exact derivatives. It has position, velocity and acceleration of `from` at 0 and those
/// of `to` at T: with Δq = q₁ − q₀,
///   c₀ = q₀, c₁ = q̇₀·T, c₂ = q̈₀·T²/2,
///   c₃ = 10Δq − (6q̇₀ + 4q̇₁)·T − (3q̈₀ − q̈₁)·T²/2,
///   c₄ = −15Δq + (8q̇₀ + 7q̇₁)·T + (3q̈₀ − 2q̈₁)·T²/2,
///   c₅ = 6Δq − 3(q̇₀ + q̇₁)·T − (q̈₀ − q̈₁)·T²/2.
/// Between two states of rest it is the quintic step of EvaluateQuinticStep().
///
/// Source: Craig, "Introduction to Robotics: Mechanics and Control", 3rd ed., 2005, section 7.3.
class QuinticBlend {
 public:
  /// @param from, to  n joints each.
  /// @throws std::invalid_argument for states of different sizes, or unless duration_s > 0.
  QuinticBlend(const JointState& from, const JointState& to, double duration_s);

  /// Writes the state at time t since the beginning [s], 0 ≤ t ≤ T. Allocates nothing.
  void Evaluate(double t, JointState& state) const;

 private:
  double duration_s_;
  Eigen::Matrix<double, Eigen::Dynamic, 6> coefficients_;  ///< c, n × 6.
};

}  // namespace idbench
