#pragma once

#include <Eigen/Core>

namespace idbench {

/// Force f [N] and moment m [N·m] about some point, in some axes.
struct ForceAndMoment {
  Eigen::Vector3d f = Eigen::Vector3d::Zero();
  Eigen::Vector3d m = Eigen::Vector3d::Zero();
};

/// Returns the wrench w that a force alone makes, fᵀm = 0, and that is nearest to a measured one:
///
///   argmin (w − ŵ)ᵀ R⁻¹ (w − ŵ)  with  g(w) = fᵀm = 0.
///
/// By steps w ← ŵ − R·∇g·(g + ∇gᵀ(ŵ − w))/(∇gᵀR∇g), which end where they move w by no more
/// than round-off. Allocates nothing.
/// @param measured  ŵ, (f, m).
/// @param R         its covariance, positive definite.
/// @return NaN if the steps do not end, as where there is more noise than force.
ForceAndMoment WrenchOfForce(const Eigen::Matrix<double, 6, 1>& measured,
                             const Eigen::Matrix<double, 6, 6>& R);

/// Surface of a cylinder about a link, without its ends, as sim/truth/touch_options.h has it.
struct TouchedCylinder {
  Eigen::Vector3d from = Eigen::Vector3d::Zero();   ///< End of its axis [m].
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();  ///< Of length 1, to the other end.
  double length = 0.0;                              ///< [m]
  double radius = 0.0;                              ///< [m]
};

/// Returns the point at which a force touches a cylinder from outside, in the cylinder's frame [m]:
/// where its line of action
///
///   p(λ) = (f × m)/|f|² + λ·f/|f|
///
/// enters the cylinder, as nothing pulls. Where the line misses it, the nearest point of the
/// surface to the line; beyond an end, that of the end with the same direction from the axis. NaN
/// if the force is along the axis, and its place anywhere along it, or 0. Allocates nothing.
/// @param wrench  about the origin of that frame, with fᵀm = 0.
Eigen::Vector3d PlaceOfForce(const TouchedCylinder& cylinder, const ForceAndMoment& wrench);

/// Returns the force at p that explains a measured wrench best, with G = (1; [p]×),
///   f = argmin (ŵ − G f)ᵀ R⁻¹ (ŵ − G f).
/// By orthogonal factors. Allocates nothing.
/// @param p  from the point that the moment is about, in the same axes [m].
Eigen::Vector3d ForceAt(const Eigen::Vector3d& p, const Eigen::Matrix<double, 6, 1>& measured,
                        const Eigen::Matrix<double, 6, 6>& R);

}  // namespace idbench
