#pragma once

#include <Eigen/Core>

namespace idbench {

/// Solutions of X·b ≈ y by partial least squares, one for each number of latent variables.
struct LatentPath {
  /// p × ν: column k holds b with k + 1 latent variables.
  Eigen::MatrixXd b;

  Eigen::Index size() const { return b.cols(); }
};

/// Partial least squares with one response: NIPALS with deflation of both sides, without centring.
/// With X₁ = X and y₁ = y, for k = 1, 2 …
///
///   - w_k = X_kᵀ y_k / ‖X_kᵀ y_k‖,  t_k = X_k w_k,
///   - p_k = X_kᵀ t_k / t_kᵀt_k,  c_k = y_kᵀ t_k / t_kᵀt_k,
///   - X_(k+1) = X_k − t_k p_kᵀ,  y_(k+1) = y_k − t_k c_k,
///   - b_ν = W (PᵀW)⁻¹ c with the first ν of each.
///
/// b_ν is the least-squares solution within the Krylov space of XᵀX and Xᵀy of dimension ν (Helland
/// 1988): with ν = rank X it is the one of least norm. An orthogonal transformation of the rows of
/// (X, y) changes nothing, so that X may be the triangle of a QR decomposition. O(ν·rows·p).
///
/// The path ends before `most` where what is left of X or of its covariance with y is round-off.
/// Source: Geladi & Kowalski, Analytica Chimica Acta 185, 1986; Traversaro, Del Prete, Muradore,
/// Natale & Nori, 2013, equations (14) to (16).
/// @param most  ν at most, ≥ 1.
LatentPath PartialLeastSquares(Eigen::MatrixXd X, Eigen::VectorXd y, Eigen::Index most);

}  // namespace idbench
