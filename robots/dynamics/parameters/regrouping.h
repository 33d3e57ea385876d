#pragma once

#include <Eigen/Core>
#include <vector>

namespace idbench {

/// Part of a scaled column that must remain after projection on the ones before it, and of the
/// greatest singular value that one must be at least, to count. Arms as they are drawn have 0.1
/// there, and round-off is 1e-15. In between lie joints out of parallel by an angle ε, with ε and
/// ε²: a calibrated 1e-3 rad counts, a π/2 with ten digits does not.
inline constexpr double kLeastIndependent = 1e-7;

/// Columns of a matrix W in terms of those that depend on no earlier one: W = W_b·K.
struct Regrouping {
  std::vector<Eigen::Index> independent;  ///< Columns of W_b in W, increasing.
  Eigen::MatrixXd K;  ///< independent.size() × columns; the identity on `independent`.
};

/// Takes the columns in their order; one that depends on earlier ones is regrouped into them.
/// Factors below 1e-9 count as 0.
/// @param scaled  W with columns whose norms are comparable, such as 1; 0 without any effect.
/// Source: Gautier, Journal of Robotic Systems 8(4), 1991.
Regrouping RegroupColumns(const Eigen::MatrixXd& scaled);

/// Returns the columns that depend on no earlier one, whatever their lengths are.
Eigen::MatrixXd IndependentColumns(const Eigen::MatrixXd& columns);

}  // namespace idbench
