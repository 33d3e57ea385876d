#pragma once

#include <Eigen/Core>
#include <vector>

#include "estimators/solvers/linear_regression.h"

namespace idbench {

/// A weighted fit, x̂ = argmin Σ_j w_j·‖y_j − W_j π(x)‖² + a penalty, and what its residuals are.
struct WeightedFit {
  Eigen::VectorXd x;
  /// N⁻¹, p × p: of the normal equations, penalty included. Of a filter the covariance that it
  /// states with w_j = 1/σ_j².
  Eigen::MatrixXd inverse;
  Eigen::VectorXd weights;                 ///< w_j, one per row.
  std::vector<Eigen::MatrixXd> residuals;  ///< RegressionRows::Residuals(x), 0 for NaN.
};

/// Returns c_l = w_j·Σ_t a_tᵀ N⁻¹ a_{t+l} of each row j, a_t the columns of sample t, for the lags
/// l = 0 … 512 at most. Reads the data again.
std::vector<Eigen::VectorXd> ColumnCorrelation(const LinearRegression& regression,
                                               const WeightedFit& fit);

/// Power of the residuals of each row over frequency, summed over datasets: their autocovariance
/// transformed. A fit takes more out of slow residuals than out of fast ones, because its columns
/// are slow: with noise of spectrum s(f) and N samples,
///   E[power(f)] ≈ s(f)·(N − h(f)),  h the spectrum of c_l, see ColumnCorrelation().
/// Without that the noise is estimated too small where it matters.
class ResidualSpectrum {
 public:
  /// As for JudgeResiduals().
  ResidualSpectrum(const std::vector<Eigen::MatrixXd>& residuals, const Eigen::VectorXd& counts);

  /// Multiplies by N/(N − h(f)).
  /// @param column_correlation  c_l of each row, see ColumnCorrelation().
  void Correct(const std::vector<Eigen::VectorXd>& column_correlation);

  /// Returns γ_0, γ_1 … of each row: of the autoregressive model of the residuals whose order has
  /// the least Akaike criterion, up to lags where γ is negligible. Orders up to an eighth of the
  /// samples (400 lags at most) are looked at, so that the memory of the noise is found in seconds,
  /// whatever the rate. Source: Berk, The Annals of Statistics 2(3), 1974.
  std::vector<Eigen::VectorXd> Autocovariance() const;

 private:
  /// Returns the first lags of the mean products of residuals, γ̂_0 … γ̂_P.
  Eigen::VectorXd Lags(Eigen::Index row) const;

  Eigen::Index size_ = 0;     ///< Of the transform.
  Eigen::Index longest_ = 0;  ///< Samples of the longest dataset.
  Eigen::Index most_lags_ = 0;
  Eigen::VectorXd counts_;
  std::vector<Eigen::VectorXd> power_;  ///< Per row.
};

/// Returns v_j = 1 + 2·Σ_k γ_k/γ_0: the variance at low frequency over that of independent samples.
double LongRunRatio(const Eigen::VectorXd& autocovariance);

}  // namespace idbench
