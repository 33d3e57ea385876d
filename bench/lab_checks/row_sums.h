#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <vector>

#include "bench/lab_checks/lab_rows.h"

namespace idbench {

/// β ~ N(mean, information⁻¹)
struct GaussianPrior {
  Eigen::MatrixXd information;
  Eigen::VectorXd mean;
};

/// Normal equations of one row of the equations and its column of torques, over some samples.
struct RowSums {
  Eigen::MatrixXd WtW;
  Eigen::VectorXd Wty;
  double yty = 0.0, count = 0.0;
  /// Σ of power per unit of each parameter: q̇² of fv, |q̇| of fc, 0 of others.
  Eigen::VectorXd power = {};

  void Add(const RowSums& other, double sign) {
    WtW += sign * other.WtW;
    Wty += sign * other.Wty;
    yty += sign * other.yty;
    count += sign * other.count;
  }
  /// Σ (y − wᵀβ)²
  double Squares(const Eigen::VectorXd& beta) const {
    return std::max(0.0, yty - 2.0 * Wty.dot(beta) + beta.dot(WtW * beta));
  }
};

/// Fits of rows that share their parameters, each with σ of its own.
struct RowFits {
  Eigen::VectorXd weights;                 ///< 1/σ² of each row.
  Eigen::VectorXd beta;                    ///< By all blocks.
  std::vector<Eigen::VectorXd> without;    ///< By all blocks but one.
  Eigen::MatrixXd held_out;                ///< Mean squares of rows in the block left out, NaN
                                           ///< where it has no rows; blocks × rows.
  Eigen::MatrixXd dissipated;              ///< Mean power there.
  Eigen::VectorXd rms, relative, samples;  ///< Of each row, see FitScore.
};

/// Part of the samples that counts against a prior: their residuals are correlated.
inline constexpr double kIndependentPart = 0.1;
/// σ of a row is not taken to be below this part of its torques' rms: noise-free data.
inline constexpr double kLeastRowSigma = 1e-6;
inline constexpr int kRowReweightings = 3;

/// Solves (H + ridge·diag(H))·x = b: what nothing excites stays finite.
Eigen::MatrixXd SolveScaled(const Eigen::MatrixXd& H, const Eigen::MatrixXd& b);

/// @param blocks   [b][j]
/// @param columns  of each row, indices into β.
RowFits FitRows(const std::vector<std::vector<RowSums>>& blocks,
                const std::vector<std::vector<int>>& columns, const GaussianPrior& prior);

/// Returns the root mean square of what the fit of all samples leaves of each row: FitRows()
/// without the blocks that are held out, for a fifth of its cost.
/// @param all  sums over all blocks, of each row.
Eigen::VectorXd RowDeviations(const std::vector<RowSums>& all,
                              const std::vector<std::vector<int>>& columns,
                              const GaussianPrior& prior);

}  // namespace idbench
