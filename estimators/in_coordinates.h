#pragma once

#include <Eigen/Core>

#include "estimators/problem.h"

namespace idbench {

/// The same problem in other unknowns v, x = origin + S·v, called v1, v2 …; without bounds or
/// prior.
/// @param problem  its parametrisation must be affine. @param S  size of x × size of v.
Problem InCoordinates(const Problem& problem, const Eigen::VectorXd& origin,
                      const Eigen::MatrixXd& S);

}  // namespace idbench
