#include "bench/metrics/taught_directions.h"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "estimators/solvers/least_squares.h"

namespace idbench {
namespace {

/// Eigenvalues of the scaled G below this part of the largest are round-off.
constexpr double kUnseenByStates = 1e-12;

}  // namespace

Eigen::MatrixXd TaughtDirections(const Eigen::MatrixXd& J, const Eigen::MatrixXd& G, double norm) {
  if (G.size() == 0) return Eigen::MatrixXd::Zero(J.rows(), 0);
  const Eigen::VectorXd size = SquaredColumnNorms(G).cwiseSqrt();
  const Eigen::VectorXd scale = (size.array() > 0.0).select(size.cwiseInverse(), 0.0);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> metric(scale.asDiagonal() * G *
                                                              scale.asDiagonal());
  const double floor = kUnseenByStates * metric.eigenvalues().maxCoeff();
  const Eigen::Index seen = (metric.eigenvalues().array() > floor).count();
  if (seen == 0) return Eigen::MatrixXd::Zero(J.rows(), 0);
  // Tᵀ G T = 1
  const Eigen::MatrixXd T = scale.asDiagonal() * metric.eigenvectors().rightCols(seen) *
                            metric.eigenvalues().tail(seen).cwiseSqrt().cwiseInverse().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> information(T.transpose() * J * T);
  const double least = 1.0 / std::pow(kTaughtMove * norm, 2);
  const Eigen::Index taught = (information.eigenvalues().array() > least).count();
  return T * information.eigenvectors().rightCols(taught);
}

}  // namespace idbench
