#include "estimators/solvers/covariance_root.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "estimators/interface/estimate.h"

namespace idbench {

Eigen::MatrixXd CovarianceRoot(const Eigen::MatrixXd& P) {
  // Units make variances differ by ten powers of ten: correlations do not.
  const Eigen::VectorXd deviation = P.diagonal().cwiseMax(0.0).cwiseSqrt();
  const Eigen::VectorXd unscale =
      deviation.unaryExpr([](double s) { return s > 0.0 ? 1.0 / s : 1.0; });
  const Eigen::LDLT<Eigen::MatrixXd> pivoted(unscale.asDiagonal() * P * unscale.asDiagonal());
  constexpr double kRoundOff = 1e-9;
  if ((pivoted.vectorD().array() < -kRoundOff).any()) {
    Refuse("the prior's covariance is not positive semi-definite");
  }
  const Eigen::MatrixXd L = pivoted.matrixL();
  const Eigen::MatrixXd ordered = pivoted.transpositionsP().transpose() * L;
  return deviation.asDiagonal() * ordered *
         pivoted.vectorD().cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

Eigen::MatrixXd RootWithoutRoundOff(const Eigen::MatrixXd& P) {
  const Eigen::VectorXd deviation = P.diagonal().cwiseMax(0.0).cwiseSqrt();
  const Eigen::VectorXd unscale =
      deviation.unaryExpr([](double s) { return s > 0.0 ? 1.0 / s : 0.0; });
  const Eigen::MatrixXd scaled = unscale.asDiagonal() * P * unscale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(0.5 * (scaled + scaled.transpose()));
  return deviation.asDiagonal() * eigen.eigenvectors() *
         eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

}  // namespace idbench
