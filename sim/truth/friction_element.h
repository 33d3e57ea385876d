#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "robots/dynamics/terms.h"
#include "sim/truth/true_robot.h"

namespace idbench {

/// Friction along one direction c of the joints' velocities: with u = cᵀq̇ and s(u) = tanh(u/w),
///
///   τ = c·ψ(u),   ψ(u) = fv·u + L(u)·s(u),   L(u) = fc + (fs − fc)·exp(−(u/vs)²) + k·|ℓ|,
///
/// or ψ = 0 on one side, where it acts on the other alone. Both the friction of a joint, whose c is
/// a unit vector, and a term of the robot's own are such elements; a constant torque is none. ℓ is
/// the joint's load, see TrueFriction; a term has k = 0.
struct FrictionElement {
  enum class Side : std::uint8_t { kBoth, kPositive, kNegative };
  /// Torque ψ [N·m] and slope ψ′ [N·m·s/rad].
  struct Tangent {
    double torque = 0.0, slope = 0.0;
  };

  std::string name;                 ///< As messages call it: "of joint 'wrist'", "belt.fc".
  std::vector<Term::Share> shares;  ///< c
  double viscous = 0.0;             ///< fv [N·m·s/rad]; likewise below those of a hinge.
  double coulomb = 0.0;             ///< fc [N·m]
  double stribeck_excess = 0.0;     ///< fs − fc [N·m]
  double stribeck_velocity = 1.0;   ///< vs [rad/s]
  double load_coefficient = 0.0;    ///< k
  Side side = Side::kBoth;          ///< The sign of u with which it acts.

  /// Returns u = cᵀq̇ [rad/s].
  double Speed(const Eigen::VectorXd& qd) const {
    double u = 0.0;
    for (const Term::Share& share : shares) u += share.factor * qd[share.joint];
    return u;
  }
  /// Returns x where the element acts, else 0; x has the sign of u.
  double Acting(double x) const {
    const bool acts = side == Side::kBoth || (side == Side::kPositive ? x > 0.0 : x < 0.0);
    return acts ? x : 0.0;
  }
  /// Return L(u) [N·m], of an unloaded joint and under the loads ℓ of all joints, n [N·m].
  double Level(double u) const;
  double Level(double u, const Eigen::VectorXd& load) const {
    if (load_coefficient == 0.0) return Level(u);
    return Level(u) + load_coefficient * std::abs(load[shares.front().joint]);
  }
  /// Return ψ(u), and ψ′(u) too, with a level L that does not depend on u.
  double Torque(double u, double level, double width) const;
  Tangent At(double u, double level, double width) const;
  /// Returns fv + fs/w, the slope of ψ at rest without a load [N·m·s/rad]: there s′ and exp are
  /// greatest and the slope of exp is not positive, so that no slope is greater if the element
  /// dissipates.
  double SteepestSlope(double width) const;

  /// Returns `factor` times the friction.
  FrictionElement Times(double factor) const;
  /// Returns the viscous part alone.
  FrictionElement Viscous() const;

  /// True if it has no torque.
  bool IsZero() const { return viscous == 0.0 && IsViscous(); }
  /// True if no part of it is Coulomb friction.
  bool IsViscous() const {
    return coulomb == 0.0 && stribeck_excess == 0.0 && load_coefficient == 0.0;
  }
  /// True if ψ never drives, u·ψ(u) ≥ 0, and for a given level L has no negative slope.
  bool Dissipates() const {
    return viscous >= 0.0 && coulomb >= 0.0 && coulomb + stribeck_excess >= 0.0;
  }
};

/// Returns those of a robot at the start of an experiment: first of joint 0, 1, …, even where they
/// are zero, then of its terms.
std::vector<FrictionElement> FrictionElementsOf(const TrueRobot& robot);

}  // namespace idbench
