#pragma once

#include <Eigen/Core>
#include <vector>

#include "estimators/solvers/linear_regression.h"

namespace idbench {

/// Stationary noise that is correlated in time, and what it does to weighted least squares.
///
/// The noise e of one equation row has the autocovariance γ_k = E[e_i·e_{i+k}] [unit of the row,
/// squared], a vector γ_0 … γ_L at the rate of the samples that the fit sees; γ_k = 0 beyond L.
/// Γ is the symmetric Toeplitz matrix with Γ_ik = γ_|i−k|, for one dataset; datasets are
/// independent. A sample that is left out is a column entry of 0 and keeps its place in time.

/// Computes Cᵀ Γ C of columns C that arrive a few samples at a time. Holds the last L samples.
class ToeplitzGram {
 public:
  /// @param autocovariance  γ, at least γ_0.
  /// @param columns         p.
  ToeplitzGram(const Eigen::Ref<const Eigen::VectorXd>& autocovariance, Eigen::Index columns);

  /// Adds the next samples of the present dataset. O(samples·p·L), with a fast Fourier transform of
  /// long γ O((samples + L)·p·log(samples + L)): blocks should be as long as γ.
  /// @param C  samples × p.
  void Add(const Eigen::Ref<const Eigen::MatrixXd>& C);
  /// Lets the next sample be the first of a dataset.
  void BeginDataset() { past_.setZero(); }

  /// Returns the sum so far, p × p, exactly symmetric.
  Eigen::MatrixXd Sum() const { return sum_ + sum_.transpose(); }

 private:
  /// Returns Σ_k half_k·c_{t−k} for the samples t behind the first L rows of `C`.
  Eigen::MatrixXd Convolve(const Eigen::MatrixXd& C) const;

  Eigen::VectorXd half_;  ///< γ_0/2, γ_1 … γ_L.
  Eigen::MatrixXd past_;  ///< The last L samples, L × p.
  Eigen::MatrixXd sum_;   ///< Half of it: Σ_t c_t·(Σ_k half_k·c_{t−k})ᵀ.
};

/// Returns M = Σ_j w_j²·Aᵀ W_jᵀ Γ_j W_j A, p × p: the covariance of Σ_j w_j·Aᵀ W_jᵀ e_j. Reads the
/// data again.
/// @param weights         w_j, one per row.
/// @param autocovariance  of each row, rows of one length or of several.
Eigen::MatrixXd ColouredSums(const LinearRegression& regression,
                             const Eigen::Ref<const Eigen::VectorXd>& weights,
                             const std::vector<Eigen::VectorXd>& autocovariance);

/// Returns the covariance of a weighted solution under noise whose sums have the covariance M:
///   N⁻¹ (P₀⁻¹ + M) N⁻¹,  N = P₀⁻¹ + D,  D = Σ_j w_j·Aᵀ W_jᵀ W_j A,
/// P₀⁻¹ the penalty of the fit, such as the precision of a prior, which is 0 without one. Computed
/// as N⁻¹ + N⁻¹ (M − D) N⁻¹, so that P₀ may be singular.
/// @param inverse  N⁻¹, LeastSquaresSolution::inverse.
/// @param data     D, LinearRegression::WeightedSums(w).AtA.
Eigen::MatrixXd SandwichCovariance(const Eigen::MatrixXd& inverse, const Eigen::MatrixXd& data,
                                   const Eigen::MatrixXd& noise);

/// As above for a solution with the weights w and noise of known or estimated autocovariance.
Eigen::MatrixXd ColouredCovariance(const LinearRegression& regression,
                                   const LeastSquaresSolution& solution,
                                   const Eigen::Ref<const Eigen::VectorXd>& weights,
                                   const std::vector<Eigen::VectorXd>& autocovariance);

}  // namespace idbench
