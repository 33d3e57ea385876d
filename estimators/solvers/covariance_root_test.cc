#include "estimators/solvers/covariance_root.h"

#include <doctest/doctest.h>

#include "estimators/interface/estimate.h"

namespace idbench {
namespace {

TEST_CASE("The root of a covariance squares to it, whatever the units, also where it is singular") {
  Eigen::Matrix3d P;
  P << 4.0, 2.0, 0.0, 2.0, 9.0, 0.0, 0.0, 0.0, 0.0;
  const Eigen::Vector3d units(1e6, 1e-6, 1.0);
  P = (units.asDiagonal() * P * units.asDiagonal()).eval();
  const Eigen::MatrixXd L = CovarianceRoot(P);
  const Eigen::Matrix3d scaled_error = units.cwiseInverse().asDiagonal() * (L * L.transpose() - P) *
                                       units.cwiseInverse().asDiagonal();
  CHECK(scaled_error.norm() < 1e-14);
  CHECK(L.row(2).isZero(0.0));
}

TEST_CASE("What is no covariance is refused") {
  Eigen::Matrix2d P;
  P << 1.0, 2.0, 2.0, 1.0;
  CHECK_THROWS_WITH_AS(CovarianceRoot(P), "the prior's covariance is not positive semi-definite",
                       EstimationFailure);
}

}  // namespace
}  // namespace idbench
