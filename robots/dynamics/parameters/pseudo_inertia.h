#pragma once

#include <Eigen/Core>

#include "robots/dynamics/parameters.h"

namespace idbench {

/// Ten standard parameters of a body, see kInertialCount.
using InertialParameters = Eigen::Matrix<double, kInertialCount, 1>;

/// Returns the pseudo-inertia J = [Σ h; hᵀ m] with Σ = ½ tr(I)·1 − I, the second moments of mass
/// about the body frame's origin [kg·m²]. A body with these parameters can exist exactly if J is
/// positive semi-definite. Source: Wensing, Kim & Slotine, IEEE RA-L 3(1), 2018.
Eigen::Matrix4d PseudoInertia(const InertialParameters& parameters);

/// Returns the inverse of PseudoInertia(): I = tr(Σ)·1 − Σ.
InertialParameters FromPseudoInertia(const Eigen::Matrix4d& J);

/// Whether a body with given parameters can exist.
enum class Consistency {
  kConsistent,    ///< m > 0 and λmin(Σ_C) > 1e-9·tr Σ_C
  kDegenerate,    ///< On the boundary: a rod, a plate, a point, or nothing.
  kInconsistent,  ///< No body has these parameters.
};

/// Judges a body by its mass and by Σ_C, its second moments about the centre of mass.
Consistency PhysicalConsistency(const InertialParameters& parameters);

/// Returns the nearest positive definite pseudo-inertia in the Frobenius norm, with eigenvalues of
/// at least `floor_fraction` times the sum of J's positive eigenvalues.
InertialParameters ProjectToConsistent(const InertialParameters& parameters,
                                       double floor_fraction = 1e-8);

}  // namespace idbench
