#pragma once

#include <Eigen/Core>
#include <span>

#include "estimators/interface/problem.h"

namespace idbench {

/// Distribution of χ² = Σ_j Σ_i (e_ij/σ_j)², e what a least-squares fit leaves of the rows j and
/// σ_j that of one sample (EquationRows::of_sample()).
struct ResidualFreedom {
  double mean = 0.0;  ///< E χ²: the degrees of freedom.
  /// Satterthwaite's ν = 2·mean²/var χ²: χ²·ν/mean is distributed nearly as a χ² of ν degrees. As
  /// `mean` for white noise, and fewer for coloured noise.
  double effective = 0.0;
};

/// Returns the distribution of χ² under the declared noise, if the columns vary slowly beside its
/// autocovariance. With F the processing and P_W the projection on the columns of the fit, over the
/// variance of a sample,
///   mean = tr FFᵀ − tr(P_W FFᵀ) = Σ_j (N_j − p_j·d_j),  ν = mean²/Σ_j (N_j − p_j·d_j)·Σ_k ρ_jk²,
/// with N_j samples, p_j = p·N_j/Σ_i N_i the part of the p unknowns, d_j the spectral density of
/// the noise at frequency 0 over the variance of a sample, and ρ the autocorrelation over lags of
/// both signs. Source: Satterthwaite, Biometrics Bulletin 2(6), 1946.
/// @param counts    N_j, one per row, in the order of `equations`.
/// @param unknowns  p: those that the data determine.
/// @pre all rows declare a σ.
ResidualFreedom FreedomOfResiduals(std::span<const EquationRows> equations,
                                   const Eigen::VectorXd& counts, int unknowns);

}  // namespace idbench
