#pragma once

#include <Eigen/Core>
#include <cmath>
#include <optional>

#include "scenarios/options/fields.h"

namespace idbench {

/// Friction of the true joints, with s(q̇) = tanh(q̇/w):
///   τ_f = fv·q̇ + (fc + (fs − fc)·exp(−(q̇/vs)²) + k·|ℓ|)·s(q̇) + fo.
/// Without the Stribeck term, fs = fc, and with k = 0 it is linear in the parameters fv, fc, fo
/// of π.
///
/// ℓ is the load of the joint: the torque that links and rotor take, and forces from outside give,
///   ℓ = M(q)·q̈ + c(q, q̇) + g(q) + ia·q̈ − J(q)ᵀ·f.
/// It is what friction and all other losses leave of the torque on the joint, so that it is known
/// without an acceleration too: see LoadUnder().
struct TrueFriction {
  Eigen::VectorXd viscous;            ///< fv, n [N·m·s/rad or N·s/m]
  Eigen::VectorXd coulomb;            ///< fc, n [N·m or N]
  Eigen::VectorXd offset;             ///< fo, n [N·m or N]
  Eigen::VectorXd stribeck_excess;    ///< fs − fc ≥ 0, n [N·m or N]
  Eigen::VectorXd stribeck_velocity;  ///< vs > 0, n [rad/s or m/s]
  Eigen::VectorXd load_coefficient;   ///< k, n, at least 0 and, times the factor below, under 1.

  /// Returns no friction, for `dofs` joints.
  static TrueFriction None(int dofs);

  /// Returns τ_f [N·m or N] of joint i at velocity `qd` without a load; `width` is w [rad/s or
  /// m/s].
  /// @param factor  multiplies all but fo, see TrueRobot::FrictionFactor().
  double Torque(int i, double qd, double width, double factor) const;

  /// True if some k is not 0.
  bool GrowsWithLoad() const { return (load_coefficient.array() != 0.0).any(); }
  /// Returns κ·k·|ℓ|·s, what the load ℓ [N·m or N] adds to the friction of joint i.
  /// @param shape   s(q̇), or the state of presliding in its place; in [−1, 1].
  /// @param factor  κ, as above.
  double LoadTorque(int i, double load, double shape, double factor) const {
    return factor * load_coefficient(i) * std::abs(load) * shape;
  }
  /// Returns the load ℓ under a torque `rest` that is left for it and the friction that it adds,
  ///   ℓ + κ·k·|ℓ|·s = rest, and so ℓ = rest/(1 + κ·k·s·sgn(rest)).
  double LoadUnder(int i, double rest, double shape, double factor) const {
    const double part = factor * load_coefficient(i) * shape;
    return rest / (1.0 + (rest < 0.0 ? -part : part));
  }
};

/// Friction of the true joints where it differs from the parameter set's.
struct FrictionOptions {
  std::optional<PerJoint> viscous_nms_rad, coulomb_nm, offset_nm;  ///< Absent: the set's.
  PerJoint stribeck_excess_nm;
  PerJoint stribeck_velocity_rad_s{{0.1}};
  PerJoint load_coefficient = {};  ///< k

  bool operator==(const FrictionOptions&) const = default;
};
FieldTable Visit(FrictionOptions& options);

}  // namespace idbench
