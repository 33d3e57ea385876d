#pragma once

#include <Eigen/Core>

#include "robots/dynamics/parameters/parametrisation.h"
#include "scenarios/problem/problem_options.h"

namespace idbench {

/// Sets `lower` and `upper` of `parameters` by these rules; a later rule overrides an earlier one:
///
/// - lower_prior_factor and upper_prior_factor, times the prior mean: for parameters that cannot be
///   negative (masses, moments of inertia, viscous and Coulomb friction, rotor inertias), and for
///   base parameters of either sign;
/// - upper_prior_factor: keeps a product of inertia within half of the greatest moment about the
///   third axis, as for every body: Izz = ∫ x² + y² ≥ 2·|∫ x·y| = 2·|Ixy|;
/// - first_moment_reach_m ℓ: |m·c| ≤ ℓ·m̄ along each axis, with m̄ the body's prior mass;
/// - `bounds`, by kind (see ParameterKind()) or name.
///
/// @param pi    prior as standard parameters.
/// @param mean  prior in the unknowns.
/// @throws std::invalid_argument if `bounds` has a kind or name that no unknown has.
void SetBounds(const RobotModel& model, const ParametrisationOptions& options,
               const Eigen::VectorXd& pi, const Eigen::VectorXd& mean, Parametrisation& parameters);

/// Returns σ = fraction·(upper − mean)(mean − lower)/(upper − lower), one per unknown: fraction/4
/// of the bounds' distance for a mean in their middle, less near a bound. It is the σ that
/// corresponds to the identity as covariance behind sigmoids of slope `fraction`.
/// @throws std::invalid_argument if an unknown is not strictly inside two bounds.
Eigen::VectorXd SigmaWithinBounds(const Parametrisation& parameters, const Eigen::VectorXd& mean,
                                  double fraction);

}  // namespace idbench
