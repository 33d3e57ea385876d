#pragma once

#include <Eigen/Core>
#include <span>

#include "estimators/interface/estimate.h"
#include "estimators/interface/problem.h"

namespace idbench {

/// Withholds the covariance of a filter whose linearisations went wrong: its σ tells what noise
/// does, and not that.
///
/// With x* the most probable estimate of the filter's prior N(x₀, P₀) and of all its data,
/// linearised at x̂ (the exact one where π is affine in x; otherwise a step of Gauss-Newton), the
/// filter of a linear problem has x̂ = x*. Records the diagnostic `linearisation_error_sigma`, the
/// root mean square of vᵀ(x̂ − x*)/√(vᵀPv) over the directions v that the data taught (see
/// ErrorsAlongLearned()). Above 1/2, which adds 1/4 to the mean squared error in σ, the covariance
/// is withheld, with the notes `sigma` and `covariance`.
///
/// Does nothing without a covariance, without data that a regression can hold, and where unknowns
/// change with time.
/// @param prior  P₀, and what nothing is known of; unknowns without variance are left out.
void ReviewLinearisation(const Problem& problem, std::span<const Dataset> datasets,
                         const PriorSpread& prior, Estimate& estimate);

}  // namespace idbench
