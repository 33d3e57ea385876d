#pragma once

#include <Eigen/Core>
#include <cmath>
#include <vector>

namespace idbench {

/// Noise of each equation row as the residuals of a fit show it.
struct ResidualStatistics {
  Eigen::VectorXd variance;  ///< σ_j² = Σ e_j² / (samples − unknowns/rows), per row.
  /// Variance of the noise at low frequency over what it would be if samples were independent,
  ///   v_j = 1 + 2·Σ_{k=1}^{10} (1 − k/11)·ρ_jk,  ρ_jk the lag-k autocorrelation of row j.
  /// A covariance that takes samples as independent makes σ of a slow column too small by √v.
  /// Source: Newey & West, Econometrica 55(3), 1987.
  Eigen::VectorXd long_run_ratio;
  /// Chance alone and what is let pass make v differ from 1 by up to 0.5 + 9/√samples. 0.5 makes σ
  /// wrong by a fifth, and white noise behind a parallel filter has 0.4; the rest is 2.5 standard
  /// deviations.
  double tolerance = 0.0;

  /// Whether a ratio like those above says that samples are not independent.
  bool IsCorrelated(double ratio) const { return std::abs(ratio - 1.0) > tolerance; }
};

/// Degrees of freedom of each row's residuals, samples − unknowns/rows.
/// @throws EstimationFailure (refused) if there are none left.
double DegreesOfFreedom(Eigen::Index samples, Eigen::Index rows, int unknowns);

/// @param residuals  samples × rows, one matrix per dataset. @param unknowns  of the fit.
/// @throws EstimationFailure as DegreesOfFreedom().
ResidualStatistics JudgeResiduals(const std::vector<Eigen::MatrixXd>& residuals, int unknowns);

}  // namespace idbench
