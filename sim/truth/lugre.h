#pragma once

#include "scenarios/options/fields.h"

namespace idbench {

/// LuGre friction of each joint, without its viscous part: bristles with mean deflection z,
///   ż = q̇ − σ0·|q̇|/g(q̇)·z,   g(q̇) = fc + (fs − fc)·exp(−(q̇/vs)²),   τ = σ0·z + σ1·ż.
/// A joint with fs = 0 has none. Source: Canudas de Wit, Olsson, Åström & Lischinsky, "A new model
/// for control of systems with friction", IEEE TAC 40(3), 1995.
struct LugreOptions {
  PerJoint stiffness_nm_rad{{1e4}};         ///< σ0
  PerJoint damping_nms_rad = {};            ///< σ1
  PerJoint coulomb_nm = {};                 ///< fc
  PerJoint static_nm = {};                  ///< fs ≥ fc
  PerJoint stribeck_velocity_rad_s{{0.1}};  ///< vs

  bool operator==(const LugreOptions&) const = default;

  /// Returns true if the joint has LuGre friction.
  bool Acts(std::size_t joint) const { return static_nm[joint] > 0.0; }
  /// Returns τ [N·m or N] of a joint with deflection z [rad or m].
  double Torque(std::size_t joint, double z, double qd) const;
  /// Returns the deflection a time h [s] later at constant q̇: with a = σ0·|q̇|/g,
  ///     z(h) = e^(−a·h)·z + q̇·(1 − e^(−a·h))/a,
  /// which is exact, so that z stays within ±g/σ0 for any h.
  double Advance(std::size_t joint, double z, double qd, double h) const;

 private:
  /// Returns σ0·|q̇|/g(q̇) [1/s].
  double Rate(std::size_t joint, double qd) const;
};
FieldTable Visit(LugreOptions& options);

}  // namespace idbench
