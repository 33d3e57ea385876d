#pragma once

#include <Eigen/Core>

#include "robots/dynamics/parametrisation.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Sets `lower` and `upper`, the later rules before the earlier ones:
///
/// - lower_prior_factor and upper_prior_factor, times the prior mean: what cannot be negative
///   (masses, moments of inertia, viscous and Coulomb friction, rotor inertias), and base
///   parameters, whatever their sign;
/// - upper_prior_factor: a product of inertia stays within half of the greatest moment about the
///   third axis, as that of every body does: Izz = ∫ x² + y² ≥ 2·|∫ x·y| = 2·|Ixy|;
/// - first_moment_reach_m ℓ: |m·c| ≤ ℓ·m̄ along each axis, m̄ the body's prior mass;
/// - `bounds`, by kind (see ParameterKind()) or name.
///
/// @param pi    the prior, as standard parameters. @param mean  the same of the unknowns.
/// @throws std::invalid_argument for a kind or name in `bounds` that no unknown has.
void SetBounds(const RobotModel& model, const ParametrisationOptions& options,
               const Eigen::VectorXd& pi, const Eigen::VectorXd& mean, Parametrisation& parameters);

/// σ = fraction·(upper − mean)(mean − lower)/(upper − lower), one per unknown: in the middle of its
/// bounds fraction/4 of their distance, nearer to one of them less. It is the σ that the identity
/// as covariance has behind sigmoids of slope `fraction`.
/// @throws std::invalid_argument for an unknown that is not inside two bounds.
Eigen::VectorXd SigmaWithinBounds(const Parametrisation& parameters, const Eigen::VectorXd& mean,
                                  double fraction);

}  // namespace idbench
