#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "robots/dynamics/parameters/parametrisation.h"

namespace idbench {

/// Coordinates (z, u) of unknowns about a prior, x = mean + root·(z, u): z ~ N(0, 1), and nothing
/// is known of u. With root = [R, U]: R·Rᵀ is the prior's covariance, and the columns of U are the
/// directions that nothing is known of.
struct PriorCoordinates {
  Eigen::VectorXd mean;   ///< p.
  Eigen::MatrixXd root;   ///< p × (size of z + size of u).
  Eigen::Index free = 0;  ///< Size of u.

  /// Returns 1 for each z, and 0 for each u.
  Eigen::VectorXd Precision() const;
};

/// Returns those of a prior. R is p × p.
/// @param prior  with a covariance (asserted).
/// @throws EstimationFailure (refused) if the covariance is not positive semi-definite.
PriorCoordinates CoordinatesOf(const Parametrisation::Prior& prior);

/// Returns "the data do not determine joint1.fv, of which the prior knows nothing; …" or, where all
/// of u is determined, that the prior of z is lost beside the data in double precision.
/// @param undetermined  of each coordinate its part in the directions that are not determined.
std::string DescribeUndetermined(const PriorCoordinates& coordinates,
                                 const std::vector<std::string>& names,
                                 const Eigen::VectorXd& undetermined);

}  // namespace idbench
