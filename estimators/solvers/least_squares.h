#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

namespace idbench {

/// Linear least squares x̂ = argmin ‖A x − y‖² for a tall A that need not be stored: from the sums
/// AᵀA and Aᵀy if these are accurate enough, otherwise by a QR decomposition.
///
/// Unknowns have different units, so the columns of A are first scaled to unit norm; condition and
/// rank are those of the scaled columns. A column below kZeroColumn of the largest is round-off: it
/// counts as zero and is not scaled.

/// Above this condition of A the normal equations, which square it, lose too many digits.
inline constexpr double kNormalEquationsLimit = 1e6;
/// A singular value below this fraction of the largest counts as zero.
inline constexpr double kRankTolerance = 1e-9;
/// A column norm below this fraction of the largest counts as zero.
inline constexpr double kZeroColumn = 1e-12;

/// Sums AᵀA and Aᵀy of a least-squares problem.
struct NormalEquations {
  Eigen::MatrixXd AtA;  ///< p × p, symmetric.
  Eigen::VectorXd Aty;  ///< p.

  static NormalEquations Zero(Eigen::Index unknowns);
};

/// Solution of a least-squares problem with p unknowns, and what the data determine.
struct LeastSquaresSolution {
  Eigen::Index rank = 0;
  Eigen::VectorXd x;        ///< p; empty unless determined().
  Eigen::MatrixXd inverse;  ///< (AᵀA)⁻¹, p × p; empty unless determined().
  double condition = 0.0;   ///< σ_max/σ_min of the scaled columns; infinite at σ_min = 0.
  bool by_qr = false;
  /// p entries: for each scaled unknown the norm of its part in the directions that A does not
  /// determine; 0 if the data determine it.
  Eigen::VectorXd undetermined;

  /// Returns true if A has full column rank.
  bool determined() const { return rank == undetermined.size(); }
};

/// Returns "the data determine 9 of 10 directions; not determined, alone or among each other: …"
/// with the names of the unknowns concerned, at most eight.
std::string DescribeUndetermined(const LeastSquaresSolution& solution,
                                 const std::vector<std::string>& names);

/// Returns the squared column norms of A from AᵀA, with 0 for those that are round-off.
Eigen::VectorXd SquaredColumnNorms(const Eigen::MatrixXd& AtA);

/// Solves by Cholesky of the scaled AᵀA; returns nothing if the condition of A exceeds
/// kNormalEquationsLimit. O(p³).
std::optional<LeastSquaresSolution> SolveNormalEquations(const NormalEquations& sums);

/// Householder QR of (A, y), fed a few rows at a time; stores only the triangle. Its error grows
/// with the condition of A, that of the normal equations with its square. Source: Golub & Van Loan,
/// Matrix Computations, 4th ed., section 6.5.
class StreamingQr {
 public:
  explicit StreamingQr(Eigen::Index unknowns);

  /// Adds rows. O(rows·p²).
  /// @param A  rows × p.
  /// @param y  rows.
  void Add(const Eigen::Ref<const Eigen::MatrixXd>& A, const Eigen::Ref<const Eigen::VectorXd>& y);

  /// Solves by the singular values of the scaled triangle, which decide the rank. O(p³).
  LeastSquaresSolution Solve() const;

  /// Returns R of (A, y) = Q·R, (p + 1) × (p + 1): ‖R·(x, −1)‖ = ‖A·x − y‖.
  const Eigen::MatrixXd& triangle() const { return triangle_; }

 private:
  Eigen::MatrixXd triangle_;  ///< R of (A, y), (p + 1) × (p + 1).
};

}  // namespace idbench
