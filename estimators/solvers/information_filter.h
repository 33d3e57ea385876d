#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <string>

#include "estimators/interface/estimate.h"
#include "estimators/solvers/row_noise.h"

namespace idbench {

/// Recursive least squares of unknowns c that are constant, from rows y = h·c + e with noise of the
/// variance σ²:
///
///   ĉ = argmin Σ (y − h·c)²/σ² + Σ_k w_k·c_k²,
///
/// where w_k is 1 for unknowns of which a prior states N(0, 1), and 0 for unknowns of which nothing
/// is known. There is no ĉ before the rows determine the latter.
///
/// The sums are stored as an orthogonal factor (square-root information filter), which loses no
/// digits and needs no large number for what is not known: one Givens rotation for each unknown and
/// row. Source: Bierman, Factorization Methods for Discrete Sequential Estimation, 1977, chapters
/// II and V.
class InformationFilter {
 public:
  /// @param noise      of the rows.
  /// @param precision  w, 0 or 1 each.
  InformationFilter(RowNoise noise, const Eigen::VectorXd& precision);

  /// Lets all that came so far, the prior too, count kept² times as much.
  void Forget(double kept);

  /// Takes the rows of a sample. Skips a row whose residual is not finite. O(rows·p²).
  /// @param H         rows × p.
  /// @param residual  y, one per row.
  void Correct(const Eigen::Ref<const Eigen::MatrixXd>& H,
               const Eigen::Ref<const Eigen::VectorXd>& residual);

  /// Least squares that the rows determine.
  struct Solution {
    Eigen::VectorXd c;
    Eigen::MatrixXd
        covariance;          ///< Under the declared noise; of what is forgotten it says nothing.
    double condition = 0.0;  ///< Of the columns, scaled to unit norm.
  };
  /// Words for a failure, given the number of directions that are determined, and of each unknown
  /// its part in the others.
  using Undetermined = std::function<std::string(Eigen::Index, const Eigen::VectorXd&)>;
  /// Returns the solution. O(p³).
  /// @throws EstimationFailure (rank_deficient) with `undetermined`, if rows and prior do not
  ///         determine all of c.
  Solution Solve(const Undetermined& undetermined) const;

  Eigen::Index size() const { return right_.size(); }
  /// Returns the mean of ν²/s over all rows that something predicted, with the innovation ν and its
  /// variance s. Nothing before the first.
  std::optional<double> normalised_innovation_squared() const;
  Eigen::Index rows_left_out() const { return rows_left_out_; }

 private:
  /// What a row leaves behind in the triangle.
  struct Rotated {
    double left;  ///< Remainder of y, ν/√s with the innovation ν and its variance s.
    double kept;  ///< σ/√s
    bool fills;   ///< A diagonal entry was 0.
  };
  /// Rotates (row_, y) into the triangle.
  Rotated RotateIn(double y);
  /// Returns the variance over σ² of the innovation of row j, which is `row_` over σ, under
  /// coloured noise; adds the row to `sums_`.
  double AbsorbColoured(Eigen::Index j);
  /// Computes v ← triangle⁻ᵀ·v, and v ← triangle⁻¹·v; 0 along columns that nothing has filled yet.
  void SolveTransposed(Eigen::VectorXd& v) const;
  void SolveTriangle(Eigen::VectorXd& v) const;

  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  RowMajor triangle_;  ///< Upper: ‖triangle·c − right‖² is the cost up to a constant.
  Eigen::VectorXd right_;
  RowNoise noise_;
  /// Under coloured noise the covariance of `triangleᵀ·right`, prior included; empty if it is
  /// white.
  Eigen::MatrixXd sums_;
  Eigen::VectorXd past_, gain_, half_;
  Eigen::RowVectorXd row_, rotated_;
  double innovation_squares_ = 0.0;
  Eigen::Index innovation_rows_ = 0, rows_left_out_ = 0;
};

/// Records `normalised_innovation_squared` and, if rows were skipped, `rows_left_out`.
void StateDiagnostics(const InformationFilter& filter, Estimate& estimate);

}  // namespace idbench
