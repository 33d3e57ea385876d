#pragma once

#include <cstddef>
#include <vector>

namespace idbench {

/// Shape s(q̇) of Coulomb friction: tanh(q̇ / width), or sign(q̇) with sign(0) = 0 for width 0.
struct FrictionShape {
  double coulomb_width_rad_s = 0.0;  ///< Of all joints that have none of their own, and of motors.
  /// Of each joint; empty: all have the common one.
  std::vector<double> own_widths_rad_s = {};

  bool operator==(const FrictionShape&) const = default;

  /// Returns the width of a joint.
  double WidthOf(int joint) const {
    return own_widths_rad_s.empty() ? coulomb_width_rad_s
                                    : own_widths_rad_s[static_cast<std::size_t>(joint)];
  }
  /// Returns s(qd) of the common width, dimensionless.
  double Coulomb(double qd) const { return Coulomb(qd, coulomb_width_rad_s); }
  /// Returns s(qd) of a width.
  static double Coulomb(double qd, double width_rad_s);
};

}  // namespace idbench
