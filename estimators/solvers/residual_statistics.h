#pragma once

#include <Eigen/Core>
#include <vector>

namespace idbench {

/// What the residuals of a fit show of the noise of each equation row, at a glance.
struct ResidualStatistics {
  Eigen::VectorXd squares;  ///< Σ e_j², per row.
  Eigen::VectorXd counts;   ///< N_j, samples of each row.
  int unknowns = 0;         ///< Of the fit.
  /// Ratio v of the noise variance at low frequency to that of independent samples, per row:
  ///   v_j = 1 + 2·Σ_{k=1}^{10} (1 − k/11)·ρ_jk,  ρ_jk the lag-k autocorrelation of row j.
  /// Pairs with a sample that is left out count 0, as they do in the sums of a fit.
  /// Source: Newey & West, Econometrica 55(3), 1987; Parzen, Sankhyā A 25(4), 1963.
  Eigen::VectorXd long_run_ratio;
  /// The residuals of some row are correlated in time: of them, or of the means of 2, 4, 8 …
  /// neighbours, an autoregressive model of order 1, 2, 4 or 8 has a likelihood ratio
  /// N·ln(v_0/v_k) that in one of 1000 fits with white noise some exceeds. Slow noise under much
  /// white noise shows in the means. Means that are fewer than 64, or than ten for each unknown of
  /// a row, are not looked at: a fit takes slow noise out of them. Where the shape of the noise is
  /// declared: the variance of the sums of 2, 4, 8 … neighbours, over that of a sample, differs
  /// from what the shape says by more than a quarter and four standard deviations, or the variance
  /// of a sample is above γ_0 by more than that: of few samples there are no sums that tell an
  /// error that is as slow as the noise.
  bool correlated = false;

  /// Returns σ_j² = Σ e_j² / DegreesOfFreedom().
  /// @throws EstimationFailure as DegreesOfFreedom() does.
  Eigen::VectorXd Variance() const;
};

/// Returns the degrees of freedom of each row's residuals: N_j samples less its part of the
/// unknowns, unknowns·N_j/Σ_i N_i.
/// @param counts  N_j of each row.
/// @throws EstimationFailure (refused) if that is not positive.
Eigen::VectorXd DegreesOfFreedom(const Eigen::VectorXd& counts, int unknowns);

/// Makes NaN 0.
void FillGaps(Eigen::MatrixXd& residuals);
std::vector<Eigen::MatrixXd> Filled(std::vector<Eigen::MatrixXd> residuals);

/// Computes the statistics of a fit's residuals. O(samples).
/// @param residuals  samples × rows, one matrix per dataset, at least one dataset; 0 for a row of
///        a sample that is left out, see Filled().
/// @param counts     samples that count, one per row.
/// @param unknowns   number of unknowns of the fit.
/// @param declared   γ_0, γ_1 … of each row's noise; empty: independent samples.
ResidualStatistics JudgeResiduals(const std::vector<Eigen::MatrixXd>& residuals,
                                  const Eigen::VectorXd& counts, int unknowns,
                                  const std::vector<Eigen::VectorXd>& declared = {});

/// Autoregressive model e_t = Σ_i a_i·e_{t−i} + white noise of variance v.
struct Autoregression {
  Eigen::VectorXd a;
  double v;
};

/// Returns the models of order 0, 1, 2 … that an autocovariance γ_0, γ_1 … has (Yule & Walker), by
/// Levinson's recursion; ends where one would not be stable. O(order²) each.
std::vector<Autoregression> Autoregressions(const Eigen::VectorXd& gamma);

}  // namespace idbench
