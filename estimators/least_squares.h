#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

namespace idbench {

/// Linear least squares x̂ = argmin ‖A x − y‖² of a tall A that need not be kept: from the sums AᵀA
/// and Aᵀy where these are good enough, from a QR decomposition otherwise.
///
/// Unknowns have different units, so A's columns are first scaled to unit norm; condition and rank
/// are those of the scaled columns. A column below kZeroColumn of the largest is round-off: it
/// counts as zero and is not scaled up.

/// Above this condition of A the normal equations, which square it, lose too many digits.
inline constexpr double kNormalEquationsLimit = 1e6;
/// Singular values below this part of the largest are zero.
inline constexpr double kRankTolerance = 1e-9;
inline constexpr double kZeroColumn = 1e-12;

struct NormalEquations {
  Eigen::MatrixXd AtA;  ///< p × p, symmetric.
  Eigen::VectorXd Aty;  ///< p

  static NormalEquations Zero(Eigen::Index unknowns);
};

struct LeastSquaresSolution {
  Eigen::Index rank = 0;
  Eigen::VectorXd x;        ///< p; empty unless determined().
  Eigen::MatrixXd inverse;  ///< (AᵀA)⁻¹, p × p; empty unless determined().
  double condition = 0.0;   ///< σ_max/σ_min of the scaled columns; infinite at σ_min = 0.
  bool by_qr = false;
  /// p: norm of each scaled unknown's part in the directions that A does not see; 0 if it is seen.
  Eigen::VectorXd undetermined;

  bool determined() const { return rank == undetermined.size(); }
};

/// "the data determine 9 of 10 directions; not determined, alone or among each other: …".
std::string DescribeUndetermined(const LeastSquaresSolution& solution,
                                 const std::vector<std::string>& names);

/// Squared norms of A's columns from AᵀA, with 0 for those that are round-off.
Eigen::VectorXd SquaredColumnNorms(const Eigen::MatrixXd& AtA);

/// By Cholesky of the scaled AᵀA; nothing if A's condition is above kNormalEquationsLimit.
std::optional<LeastSquaresSolution> SolveNormalEquations(const NormalEquations& sums);

/// Householder QR of (A, y), fed a few rows at a time: only the triangle is kept.
/// Its error grows with A's condition where that of the normal equations grows with its square.
/// Source: Golub & Van Loan, Matrix Computations, 4th ed., section 6.5.
class StreamingQr {
 public:
  explicit StreamingQr(Eigen::Index unknowns);

  /// @param A rows × p. @param y rows. O(rows·p²).
  void Add(const Eigen::Ref<const Eigen::MatrixXd>& A, const Eigen::Ref<const Eigen::VectorXd>& y);

  /// By the singular values of the scaled triangle, which decide the rank.
  LeastSquaresSolution Solve() const;

 private:
  Eigen::MatrixXd triangle_;  ///< R of (A, y), (p + 1) × (p + 1).
};

}  // namespace idbench
