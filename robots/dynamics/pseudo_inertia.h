#pragma once

#include <Eigen/Core>

#include "robots/dynamics/parameters.h"

namespace idbench {

using InertialParameters = Eigen::Matrix<double, kInertialCount, 1>;

/// Pseudo-inertia J = [Σ h; hᵀ m] with Σ = ½ tr(I)·1 − I, the second moments of mass about the body
/// frame's origin [kg·m²]. A body can exist exactly if J is positive semi-definite.
/// Source: Wensing, Kim & Slotine, IEEE RA-L 3(1), 2018.
Eigen::Matrix4d PseudoInertia(const InertialParameters& parameters);

/// Inverse of PseudoInertia(): I = tr(Σ)·1 − Σ.
InertialParameters FromPseudoInertia(const Eigen::Matrix4d& J);

enum class Consistency {
  kConsistent,    ///< m > 0 and λmin(Σ_C) > 1e-9·tr Σ_C
  kDegenerate,    ///< On the boundary: a rod, a plate or a point.
  kInconsistent,  ///< No body has these parameters.
};

/// Judges one body by its mass and by Σ_C, its second moments about the centre of mass.
Consistency PhysicalConsistency(const InertialParameters& parameters);

/// The nearest positive definite pseudo-inertia in the Frobenius norm, its eigenvalues at least
/// `floor_fraction`·tr J.
InertialParameters ProjectToConsistent(const InertialParameters& parameters,
                                       double floor_fraction = 1e-8);

}  // namespace idbench
