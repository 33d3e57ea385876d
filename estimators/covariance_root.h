#pragma once

#include <Eigen/Core>

namespace idbench {

/// L with L·Lᵀ = P, which may be singular: where P has a row of zeros, L has.
/// @param P  symmetric; units may make its variances differ by tens of powers of ten.
/// @throws EstimationFailure (refused) if P is not positive semi-definite.
Eigen::MatrixXd CovarianceRoot(const Eigen::MatrixXd& P);

}  // namespace idbench
