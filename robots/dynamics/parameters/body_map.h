#pragma once

#include <Eigen/Core>
#include <array>
#include <string_view>
#include <variant>

#include "robots/dynamics/parameters/pseudo_inertia.h"

namespace idbench {

/// Body described by mass, first moments and principal moments about its centre of mass, with known
/// principal axes R:
///   x = (m, h, J),  h = m·c,  I_o = R·diag(J)·Rᵀ + (|h|²·1 − h·hᵀ)/m.
/// Source: Joukov, Bonnet, Venture & Kulić, IROS 2015, section III.B.
struct FirstMomentsMap {
  static constexpr int kSize = 7;
  static constexpr std::array<std::string_view, kSize> kNames = {"m",  "mcx", "mcy", "mcz",
                                                                 "J1", "J2",  "J3"};
  static constexpr std::array<std::string_view, kSize> kUnits = {"kg",    "kg·m",  "kg·m", "kg·m",
                                                                 "kg·m²", "kg·m²", "kg·m²"};
  using Unknowns = Eigen::Matrix<double, kSize, 1>;

  Eigen::Matrix3d axes;  ///< R: its columns are the principal axes, in the body frame.

  /// Returns the body's ten standard parameters; not finite for m = 0.
  /// Returns the body's ten standard parameters.
  InertialParameters Pi(const Unknowns& x) const;
  /// Returns ∂π/∂x.
  Eigen::Matrix<double, kInertialCount, kSize> Jacobian(const Unknowns& x) const;
  /// Returns x of a body; ignores its products of inertia in the axes R.
  Unknowns FromPi(const InertialParameters& pi) const;
};

/// Body described by the Cholesky factor of its pseudo-inertia: every x represents a physical body,
/// and every physical body has one x.
///   x = (α, d₁, d₂, d₃, s₁₂, s₂₃, s₁₃, t₁, t₂, t₃),  [Σ h; hᵀ m] = U·Uᵀ,
///   U = e^α [e^d₁ s₁₂ s₁₃ t₁; 0 e^d₂ s₂₃ t₂; 0 0 e^d₃ t₃; 0 0 0 1],
/// with lengths in m and the mass e^2α in kg; t is the centre of mass. Source: Rucker & Wensing,
/// IEEE RA-L 7(2), 2022.
struct LogCholeskyMap {
  static constexpr int kSize = 10;
  static constexpr std::array<std::string_view, kSize> kNames = {"alpha", "d1",  "d2", "d3", "s12",
                                                                 "s23",   "s13", "t1", "t2", "t3"};
  static constexpr std::array<std::string_view, kSize> kUnits = {"1", "1", "1", "1", "m",
                                                                 "m", "m", "m", "m", "m"};
  using Unknowns = Eigen::Matrix<double, kSize, 1>;

  InertialParameters Pi(const Unknowns& x) const;
  /// Returns ∂π/∂x.
  Eigen::Matrix<double, kInertialCount, kSize> Jacobian(const Unknowns& x) const;
  /// Returns x of a body; not finite if the body is not physically consistent.
  Unknowns FromPi(const InertialParameters& pi) const;
};

/// Map from unknowns to the ten standard parameters of a body, smooth but not affine.
using BodyMap = std::variant<FirstMomentsMap, LogCholeskyMap>;

}  // namespace idbench
