#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "estimators/interface/estimate.h"
#include "robots/dynamics/parameters/parametrisation.h"

namespace idbench {

/// A direction counts as learned where a method has at most this part of its prior variance left.
inline constexpr double kLearned = 0.25;

/// Returns how far x may be off before the data, as the method that made the estimate takes it;
/// nothing if neither it nor the problem says.
std::optional<PriorSpread> SpreadBefore(const Parametrisation& parameters,
                                        const Estimate& estimate);

/// Returns the covariance of a prior with so much more variance along the directions that it knows
/// nothing of that, beside the posterior's, they count as learned: 10⁶ times as much.
/// @param posterior  p × p.
Eigen::MatrixXd WithUnknown(const PriorSpread& prior, const Eigen::MatrixXd& posterior);

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
