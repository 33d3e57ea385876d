#pragma once

namespace idbench {

/// Shape s(q̇) of Coulomb friction, the same for all joints: tanh(q̇ / width), or sign(q̇) with
/// sign(0) = 0 for width 0.
struct FrictionShape {
  double coulomb_width_rad_s = 0.0;

  /// Returns s(qd), dimensionless.
  double Coulomb(double qd) const;
};

}  // namespace idbench
