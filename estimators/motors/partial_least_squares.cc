#include "estimators/motors/partial_least_squares.h"

#include <cassert>

namespace idbench {
namespace {

/// Part of ‖X‖ or of ‖X‖·‖y‖ that may be round-off of the deflation.
constexpr double kDeflationRoundOff = 1e-13;

}  // namespace

LatentPath PartialLeastSquares(Eigen::MatrixXd X, Eigen::VectorXd y, Eigen::Index most) {
  assert(X.rows() == y.size() && most >= 1);
  const Eigen::Index p = X.cols();
  const double least_score = kDeflationRoundOff * X.norm();
  const double least_covariance = least_score * y.norm();
  Eigen::MatrixXd P(p, most), R(p, most);  // R = W (PᵀW)⁻¹
  LatentPath path{Eigen::MatrixXd(p, most)};
  Eigen::VectorXd b = Eigen::VectorXd::Zero(p);
  Eigen::Index k = 0;
  for (; k < most; ++k) {
    Eigen::VectorXd r = X.transpose() * y;
    const double covariance = r.norm();
    if (!(covariance > least_covariance)) break;
    r /= covariance;
    const Eigen::VectorXd t = X * r;
    const double square = t.squaredNorm();
    if (!(square > least_score * least_score)) break;
    P.col(k) = X.transpose() * t / square;
    const double c = y.dot(t) / square;
    X.noalias() -= t * P.col(k).transpose();
    y -= c * t;
    // w_k less its part along the loadings before: X r_k = t_k with the X of the beginning.
    const Eigen::VectorXd along = P.leftCols(k).transpose() * r;
    r -= R.leftCols(k) * along;
    R.col(k) = r;
    b += c * r;
    path.b.col(k) = b;
  }
  path.b.conservativeResize(Eigen::NoChange, k);
  return path;
}

}  // namespace idbench
