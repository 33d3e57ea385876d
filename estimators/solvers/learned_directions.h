#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace idbench {

/// A direction counts as learned where a method has at most this part of its prior variance left.
inline constexpr double kLearned = 0.25;

/// Errors along directions, in σ of the posterior.
struct DirectionErrors {
  std::vector<double> in_sigma;
  std::string failure;
};

/// Returns vᵀe/√(vᵀPv) along the directions v with P v = λ P₀ v, λ ≤ 1/4: of those that the data
/// taught, whatever the units are. Fails if P₀ is not positive definite.
/// @param error      e, p.
/// @param posterior  P, p × p.
/// @param prior      P₀, p × p.
DirectionErrors ErrorsAlongLearned(const Eigen::VectorXd& error, const Eigen::MatrixXd& posterior,
                                   const Eigen::MatrixXd& prior);

}  // namespace idbench
