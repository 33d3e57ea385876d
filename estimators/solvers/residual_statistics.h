#pragma once

#include <Eigen/Core>
#include <cmath>
#include <vector>

namespace idbench {

/// Noise of each equation row, estimated from the residuals of a fit.
struct ResidualStatistics {
  Eigen::VectorXd variance;  ///< σ_j² = Σ e_j² / DegreesOfFreedom(), per row.
  /// Ratio v of the noise variance at low frequency to that of independent samples, per row:
  ///   v_j = 1 + 2·Σ_{k=1}^{10} (1 − k/11)·ρ_jk,  ρ_jk the lag-k autocorrelation of row j.
  /// A covariance that assumes independent samples makes σ too small by √v for a slow column.
  /// Pairs with a sample that is left out count 0, as they do in the sums of a fit.
  /// Source: Newey & West, Econometrica 55(3), 1987; Parzen, Sankhyā A 25(4), 1963.
  Eigen::VectorXd long_run_ratio;
  /// Accepted distance of v from 1: 0.5 + 9/√samples. A ratio of 1.5 changes σ by a fifth, and
  /// white noise behind a parallel filter reaches 1.4; the second term is 2.5 standard deviations
  /// of v for white noise.
  double tolerance = 0.0;

  /// Returns true if `ratio`, one of those above, shows that the samples are not independent.
  bool IsCorrelated(double ratio) const { return std::abs(ratio - 1.0) > tolerance; }
};

/// Returns the degrees of freedom of each row's residuals: N_j samples less its part of the
/// unknowns, unknowns·N_j/Σ_i N_i.
/// @param counts  N_j of each row.
/// @throws EstimationFailure (refused) if that is not positive.
Eigen::VectorXd DegreesOfFreedom(const Eigen::VectorXd& counts, int unknowns);

/// Makes NaN 0.
void FillGaps(Eigen::MatrixXd& residuals);
std::vector<Eigen::MatrixXd> Filled(std::vector<Eigen::MatrixXd> residuals);

/// Computes the statistics of a fit's residuals.
/// @param residuals  samples × rows, one matrix per dataset, at least one dataset; NaN for a row of
///        a sample that is left out.
/// @param unknowns   number of unknowns of the fit.
/// @throws EstimationFailure as DegreesOfFreedom() does.
ResidualStatistics JudgeResiduals(std::vector<Eigen::MatrixXd> residuals, int unknowns);

/// Autoregressive model e_t = Σ_i a_i·e_{t−i} + white noise of variance v.
struct Autoregression {
  Eigen::VectorXd a;
  double v;
};

/// Returns the models of order 0, 1, 2 … that an autocovariance γ_0, γ_1 … has (Yule & Walker), by
/// Levinson's recursion; ends where one would not be stable. O(order²) each.
std::vector<Autoregression> Autoregressions(const Eigen::VectorXd& gamma);

}  // namespace idbench
