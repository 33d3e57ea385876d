#include "estimators/solvers/learned_directions.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace idbench {

std::optional<PriorSpread> SpreadBefore(const Parametrisation& parameters,
                                        const Estimate& estimate) {
  if (estimate.own_prior) return estimate.own_prior;
  const auto& prior = parameters.prior;
  if (!prior || !prior->covariance) return std::nullopt;
  return PriorSpread{*prior->covariance, prior->unknown};
}

Eigen::MatrixXd WithUnknown(const PriorSpread& prior, const Eigen::MatrixXd& posterior) {
  constexpr double kFarMore = 1e6;
  Eigen::MatrixXd covariance = prior.covariance;
  for (const auto& direction : prior.unknown.colwise()) {
    double most = 0.0;  // of the variance along the direction, as each unknown tells it
    for (Eigen::Index k = 0; k < direction.size(); ++k) {
      if (direction[k] != 0.0) {
        most = std::max(most, posterior(k, k) / (direction[k] * direction[k]));
      }
    }
    covariance += kFarMore * most * direction * direction.transpose();
  }
  return covariance;
}

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
