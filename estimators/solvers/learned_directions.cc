#include "estimators/solvers/learned_directions.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

namespace idbench {

DirectionErrors ErrorsAlongLearned(const Eigen::VectorXd& error, const Eigen::MatrixXd& posterior,
                                   const Eigen::MatrixXd& prior) {
  DirectionErrors learned;
  if (Eigen::LLT<Eigen::MatrixXd>(prior).info() != Eigen::Success) {
    learned.failure = "the prior covariance is not positive definite";
    return learned;
  }
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> directions(posterior, prior);
  for (Eigen::Index k = 0; k < error.size(); ++k) {
    if (directions.eigenvalues()[k] > kLearned) continue;
    const Eigen::VectorXd v = directions.eigenvectors().col(k);
    learned.in_sigma.push_back(v.dot(error) / std::sqrt(v.dot(posterior * v)));
  }
  return learned;
}

}  // namespace idbench
