#include "robots/dynamics/parameters/body_metric.h"

#include <Eigen/Cholesky>

#include "robots/dynamics/parameters/log_det_newton.h"

namespace idbench {
namespace {

/// X_k of all columns of J, elements of each in a column.
Eigen::Matrix<double, 16, Eigen::Dynamic> Whitened(const InertialParameters& inertia,
                                                   const Eigen::Ref<const Eigen::MatrixXd>& J) {
  const Eigen::LLT<Eigen::Matrix4d> L(PseudoInertia(inertia));
  Eigen::Matrix<double, 16, Eigen::Dynamic> X(16, J.cols());
  for (Eigen::Index k = 0; k < J.cols(); ++k) {
    const Eigen::Matrix4d half = L.matrixL().solve(PseudoInertia(J.col(k)));  // L⁻¹ ∂P
    Eigen::Map<Eigen::Matrix4d>(X.col(k).data()) = L.matrixL().solve(half.transpose());
  }
  return X;
}

}  // namespace

Eigen::MatrixXd BodyMetric(const InertialParameters& inertia,
                           const Eigen::Ref<const Eigen::MatrixXd>& J) {
  const Eigen::Matrix<double, 16, Eigen::Dynamic> X = Whitened(inertia, J);
  return X.transpose() * X;
}

Eigen::MatrixXd BodyMetricRoot(const InertialParameters& inertia,
                               const Eigen::Ref<const Eigen::MatrixXd>& J) {
  const Eigen::Matrix<double, 16, Eigen::Dynamic> X = Whitened(inertia, J);
  Eigen::MatrixXd M(kInertialCount, X.cols());
  for (Eigen::Index k = 0; k < X.cols(); ++k) {
    M.col(k) = SymmetricCoordinates(Eigen::Map<const Eigen::Matrix4d>(X.col(k).data()));
  }
  return M;
}

}  // namespace idbench
