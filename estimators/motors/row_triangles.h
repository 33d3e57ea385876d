#pragma once

#include <Eigen/Core>
#include <vector>

#include "estimators/solvers/regression_rows.h"

namespace idbench {

/// The rows y_j − W_j π₀ = W_j A·x of a regression, reduced in one pass: of each equation row and
/// each fold the triangle of the QR decomposition of (W_j A, y_j − W_j π₀).
///
/// A fold is a part of the recorded time without gaps: the k-th of as many parts of equal length of
/// each dataset. Whatever is asked of weighted sums of squares, of all folds or without one, needs
/// no further pass.
class RowTriangles {
 public:
  /// @param folds  at least 1.
  /// @throws EstimationFailure (refused) if a dataset has fewer samples than folds.
  RowTriangles(const RegressionRows& rows, int folds);

  int folds() const { return folds_; }
  Eigen::Index unknowns() const { return unknowns_; }

  /// Returns the triangle T, (p + 1) × (p + 1), with ‖T·(x, −1)‖² = Σ_j w_j²·‖y_j − W_j π(x)‖² over
  /// all folds but one. O(folds·rows·p³).
  /// @param weights   w_j, one per row.
  /// @param left_out  fold; −1: none.
  Eigen::MatrixXd Triangle(const Eigen::Ref<const Eigen::VectorXd>& weights,
                           int left_out = -1) const;
  /// Returns Σ_j w_j²·‖y_j − W_j π(x)‖² of one fold, for each column x of `xs`.
  Eigen::VectorXd Squares(const Eigen::Ref<const Eigen::MatrixXd>& xs,
                          const Eigen::Ref<const Eigen::VectorXd>& weights, int fold) const;

 private:
  /// Of one row in one fold, in the unknowns that enter it.
  struct Reduced {
    std::size_t row;
    int fold;
    Eigen::MatrixXd triangle;
  };

  int folds_;
  Eigen::Index unknowns_;
  std::vector<std::vector<int>> unknowns_in_;  ///< One per row.
  std::vector<Reduced> reduced_;
};

}  // namespace idbench
