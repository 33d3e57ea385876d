#pragma once

#include <Eigen/Core>
#include <optional>

#include "scenarios/options/fields.h"

namespace idbench {

/// Friction of the true joints, with s(q̇) = tanh(q̇/w):
///   τ_f = fv·q̇ + (fc + (fs − fc)·exp(−(q̇/vs)²))·s(q̇) + fo.
/// Without the Stribeck term, fs = fc, it is linear in the parameters fv, fc, fo of π.
struct TrueFriction {
  Eigen::VectorXd viscous;            ///< fv, n [N·m·s/rad or N·s/m]
  Eigen::VectorXd coulomb;            ///< fc, n [N·m or N]
  Eigen::VectorXd offset;             ///< fo, n [N·m or N]
  Eigen::VectorXd stribeck_excess;    ///< fs − fc ≥ 0, n [N·m or N]
  Eigen::VectorXd stribeck_velocity;  ///< vs > 0, n [rad/s or m/s]

  /// Returns no friction, for `dofs` joints.
  static TrueFriction None(int dofs);

  /// Returns τ_f [N·m or N] of joint i at velocity `qd`; `width` is w [rad/s or m/s].
  /// @param factor  multiplies all but fo, see TrueRobot::FrictionFactor().
  double Torque(int i, double qd, double width, double factor) const;
};

/// Friction of the true joints where it differs from the parameter set's.
struct FrictionOptions {
  std::optional<PerJoint> viscous_nms_rad, coulomb_nm, offset_nm;  ///< Absent: the set's.
  PerJoint stribeck_excess_nm;
  PerJoint stribeck_velocity_rad_s{{0.1}};

  bool operator==(const FrictionOptions&) const = default;
};
FieldTable Visit(FrictionOptions& options);

}  // namespace idbench
