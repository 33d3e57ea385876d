#pragma once

#include <Eigen/Core>

namespace idbench {

/// Returns a root L of a covariance, L·Lᵀ = P. P may be singular: a row of zeros in P gives a row
/// of zeros in L.
/// @param P  p × p, symmetric; its variances may differ by tens of powers of ten, because units do.
/// @throws EstimationFailure (refused) if P is not positive semi-definite.
Eigen::MatrixXd CovarianceRoot(const Eigen::MatrixXd& P);

/// Returns a root L of a covariance that round-off may have left with eigenvalues below 0: these
/// count as 0.
Eigen::MatrixXd RootWithoutRoundOff(const Eigen::MatrixXd& P);

}  // namespace idbench
