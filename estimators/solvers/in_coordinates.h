#pragma once

#include <Eigen/Core>

#include "estimators/interface/problem.h"

namespace idbench {

/// Returns the same problem in other unknowns v, x = origin + S·v, named v1, v2 …, without bounds
/// and without prior. The parametrisation of `problem` must be affine (asserted).
/// @param origin  size of x.
/// @param S       size of x × size of v.
Problem InCoordinates(const Problem& problem, const Eigen::VectorXd& origin,
                      const Eigen::MatrixXd& S);

/// Returns the same problem in the same unknowns, with π(x) replaced by its tangent at `x`, without
/// bounds and without prior.
Problem LinearisedAt(const Problem& problem, const Eigen::VectorXd& x);

}  // namespace idbench
