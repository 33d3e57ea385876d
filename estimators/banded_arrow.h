#pragma once

#include <Eigen/Core>

namespace idbench {

/// Normal equations of a least-squares problem in many unknowns z, each of which shows in a few
/// neighbouring residuals, and a few unknowns β that show in all:
///   [A  C] [δz]   [a]      A banded (N × N, half bandwidth w), C N × p, B p × p.
///   [Cᵀ B]·[δβ] = [b],
/// A + λ·diag A = L·Lᵀ keeps the band, so a solution costs O(N·(w + p)²).
class BandedArrow {
 public:
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  /// @param half_bandwidth  largest distance of two z in one residual.
  BandedArrow(Eigen::Index size, Eigen::Index half_bandwidth, Eigen::Index border);

  /// A, C, a = 0; B = ZᵀZ and b = Zᵀe, of all residuals together.
  void Reset(const Eigen::MatrixXd& B, const Eigen::VectorXd& b);
  /// Residuals e = y − f(z, β) with ∂f/∂z = J in the columns `first` … and ∂f/∂β = Z: adds JᵀJ, JᵀZ
  /// and Jᵀe.
  void Add(Eigen::Index first, const Eigen::Ref<const Rows>& J, const Eigen::Ref<const Rows>& Z,
           const Eigen::Ref<const Eigen::VectorXd>& e);
  /// Of a residual in z alone.
  void Add(Eigen::Index first, const Eigen::Ref<const Eigen::RowVectorXd>& J, double e);

  /// Factors the matrix with λ·diag A added to A. False if that is not positive definite.
  bool Factor(double lambda);
  /// (δz, δβ). @returns what the linear model promises: gᵀδ + λ·δzᵀ·diag A·δz, g = (a, b), which is
  /// ‖e‖² − ‖e − J·δz − Z·δβ‖².
  double Solve(Eigen::VectorXd& dz, Eigen::VectorXd& dbeta) const;
  /// The last p columns of the inverse: @param[out] of_z N × p, @param[out] of_beta p × p.
  void InverseBorder(Rows& of_z, Eigen::MatrixXd& of_beta) const;

 private:
  Eigen::Index size() const { return C_.rows(); }
  /// x ← L⁻ᵀ·x.
  void BackSubstitute(Rows& x) const;

  Eigen::Index half_bandwidth_;
  Rows band_;  ///< Row i: A(i, i − w) … A(i, i).
  Rows C_;     ///< And a, as its last column.
  Eigen::MatrixXd B_;
  Eigen::VectorXd b_;
  double lambda_ = 0.0;
  Rows factor_;            ///< Of L, as band_.
  Rows X_;                 ///< L⁻¹·(C, a)
  Eigen::MatrixXd schur_;  ///< Cholesky factor of B − Cᵀ(A + λ·diag A)⁻¹C, below its diagonal.
};

}  // namespace idbench
