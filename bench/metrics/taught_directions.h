#pragma once

#include <Eigen/Core>

namespace idbench {

/// Part of the norm of the true torques that one σ of the bound may move in a direction that the
/// data determine.
inline constexpr double kTaughtMove = 0.1;

/// Directions of x in which data of information J determine what the robot's equations say on some
/// states, generalised eigenvectors
///   J v = λ G v,  vᵀ G v = 1,  (λ)^-½ < kTaughtMove·‖y‖:
/// one standard deviation of the Cramér-Rao bound along v moves the equations' prediction by
/// (λ)^-½ in the metric G. They depend neither on units nor, but for the states, on frames.
/// @param J     Fisher information, p × p.
/// @param G     AᵀΦᵀΦA of the prediction on the states, p × p; directions that it does not see are
///              none.
/// @param norm  ‖y‖ of the true prediction in the same metric.
/// @return V, p × number of directions, the best determined last.
Eigen::MatrixXd TaughtDirections(const Eigen::MatrixXd& J, const Eigen::MatrixXd& G, double norm);

}  // namespace idbench
