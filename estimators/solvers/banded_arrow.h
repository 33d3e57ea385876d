#pragma once

#include <Eigen/Core>

namespace idbench {

/// Normal equations of a least-squares problem with many unknowns z, each of which enters a few
/// neighbouring residuals, and a few unknowns β that enter all of them:
///   [A  C] [δz]   [a]      A banded (N × N, half bandwidth w), C N × p, B p × p.
///   [Cᵀ B]·[δβ] = [b],
/// The factorisation A + λ·diag A = L·Lᵀ keeps the band, so a solution costs O(N·(w + p)²).
class BandedArrow {
 public:
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  /// @param size            N, number of unknowns z.
  /// @param half_bandwidth  w, largest distance between two z in one residual.
  /// @param border          p, number of unknowns β.
  BandedArrow(Eigen::Index size, Eigen::Index half_bandwidth, Eigen::Index border);

  /// Sets A, C, a to 0, and B = ZᵀZ, b = Zᵀe of all residuals together.
  void Reset(const Eigen::MatrixXd& B, const Eigen::VectorXd& b);
  /// Adds residuals e = y − f(z, β): JᵀJ to A, JᵀZ to C, Jᵀe to a.
  /// @param first  index of the unknown z that belongs to the first column of J.
  /// @param J      ∂f/∂z, rows × at most w + 1 columns.
  /// @param Z      ∂f/∂β, rows × p.
  void Add(Eigen::Index first, const Eigen::Ref<const Rows>& J, const Eigen::Ref<const Rows>& Z,
           const Eigen::Ref<const Eigen::VectorXd>& e);
  /// Adds one residual that depends on z alone.
  void Add(Eigen::Index first, const Eigen::Ref<const Eigen::RowVectorXd>& J, double e);

  /// Factors the matrix with λ·diag A added to A. Returns false if that is not positive definite.
  bool Factor(double lambda);
  /// Solves for (δz, δβ) after a successful Factor().
  /// @return the decrease that the linear model predicts, gᵀδ + λ·δzᵀ·diag A·δz with g = (a, b),
  ///         which is ‖e‖² − ‖e − J·δz − Z·δβ‖².
  double Solve(Eigen::VectorXd& dz, Eigen::VectorXd& dbeta) const;
  /// Computes the last p columns of the inverse, after a successful Factor().
  /// @param[out] of_z     N × p.
  /// @param[out] of_beta  p × p.
  void InverseBorder(Rows& of_z, Eigen::MatrixXd& of_beta) const;

 private:
  Eigen::Index size() const { return C_.rows(); }
  /// Computes x ← L⁻ᵀ·x.
  void BackSubstitute(Rows& x) const;

  Eigen::Index half_bandwidth_;
  Rows band_;  ///< Row i holds A(i, i − w) … A(i, i).
  Rows C_;     ///< C, and a as its last column.
  Eigen::MatrixXd B_;
  Eigen::VectorXd b_;
  double lambda_ = 0.0;
  Rows factor_;            ///< L, stored as band_.
  Rows X_;                 ///< L⁻¹·(C, a)
  Eigen::MatrixXd schur_;  ///< Cholesky factor of B − Cᵀ(A + λ·diag A)⁻¹C, in the lower triangle.
};

}  // namespace idbench
