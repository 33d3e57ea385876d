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
  using Border = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  /// @param half_bandwidth  largest distance of two z in one residual.
  BandedArrow(Eigen::Index size, Eigen::Index half_bandwidth, Eigen::Index border);

  void SetZero();
  /// Residuals e = y − f(z, β) with ∂f/∂z = J in the columns `first` … and ∂f/∂β = Z; adds
  /// JᵀJ, JᵀZ, ZᵀZ, Jᵀe and Zᵀe.
  void Add(Eigen::Index first, const Eigen::Ref<const Eigen::MatrixXd>& J,
           const Eigen::Ref<const Eigen::MatrixXd>& Z, const Eigen::Ref<const Eigen::VectorXd>& e);
  /// Of a residual in z alone.
  void Add(Eigen::Index first, const Eigen::Ref<const Eigen::RowVectorXd>& J, double e);

  /// Factors the matrix with λ·diag A added to A. False if that is not positive definite.
  bool Factor(double lambda);
  /// (δz, δβ). @returns what the linear model promises: gᵀδ + λ·δzᵀ·diag A·δz, g = (a, b), which is
  /// ‖e‖² − ‖e − J·δz − Z·δβ‖².
  double Solve(Eigen::VectorXd& dz, Eigen::VectorXd& dbeta) const;
  /// The last p columns of the inverse: @param[out] of_z N × p, @param[out] of_beta p × p.
  void InverseBorder(Border& of_z, Eigen::MatrixXd& of_beta) const;

 private:
  Eigen::Index size() const { return C_.rows(); }
  /// x ← L⁻ᵀ·x.
  void BackSubstitute(Border& x) const;

  Eigen::Index half_bandwidth_;
  Border band_;  ///< Row i: A(i, i − w) … A(i, i).
  Border C_;     ///< And a, as its last column.
  Eigen::MatrixXd B_;
  Eigen::VectorXd b_;
  double lambda_ = 0.0;
  Border factor_;          ///< Of L, as band_.
  Border X_;               ///< L⁻¹·(C, a)
  Eigen::MatrixXd schur_;  ///< Cholesky factor of B − Cᵀ(A + λ·diag A)⁻¹C, below its diagonal.
};

}  // namespace idbench
