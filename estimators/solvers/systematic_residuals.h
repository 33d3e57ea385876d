#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "estimators/solvers/residual_noise.h"

namespace idbench {

/// What the residuals of a fit follow, although noise follows nothing.
struct SystematicResiduals {
  /// One phrase for each, the most certain first: "of joint 2 follow sign(q̇) (Coulomb
  /// friction missing?)".
  std::vector<std::string> findings;
  Eigen::VectorXd shift;        ///< What these move the unknowns by; empty without findings.
  double shift_in_sigma = 0.0;  ///< The same over the stated σ: rms over unknowns.
};

/// Looks for functions of a row's own joint that its residuals follow: a constant, sin q, cos q,
/// q̇, sign q̇, q̈ and the derivative of the predicted side in time (the constant and the derivative
/// for rows without a joint), of which those are taken that the columns of the fit leave something
/// of. They enter the fit as further columns F, with coefficients
///   θ = S⁻¹ Σ_j w_j F_jᵀ e_j,  S = Fᵀ w F − Gᵀ N⁻¹ G,  G = Aᵀ Wᵀ w F,
/// whose covariance is that under noise with the autocovariance of what is left (HAC). A feature is
/// found if Student's t of its θ has a probability of 0.001 at most over all features of a fit; the
/// degrees of freedom are the row's samples over its LongRunRatio().
/// Only what the columns leave is seen: an error that some x explains is none of these.
/// Source: Newey & West, Econometrica 55(3), 1987; Lazarus, Lewis, Stock & Watson, JBES 36(4),
/// 2018.
/// @param fit                 whose residuals are looked at, with the weights of their noise.
/// @param column_correlation  of `fit`, see ColumnCorrelation().
/// @param moved               the fit whose x is moved: `fit` or one with other weights.
/// @param sigma               stated σ of its x.
SystematicResiduals FindSystematic(const LinearRegression& regression, const WeightedFit& fit,
                                   const std::vector<Eigen::VectorXd>& column_correlation,
                                   const WeightedFit& moved, const Eigen::VectorXd& sigma);

}  // namespace idbench
