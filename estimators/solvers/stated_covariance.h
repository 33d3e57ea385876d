#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "estimators/solvers/linear_regression.h"
#include "estimators/solvers/residual_noise.h"
#include "estimators/solvers/residual_statistics.h"
#include "estimators/solvers/seen_unknowns.h"

namespace idbench {

/// One service for all methods that state σ: what the residuals of an estimate say about its
/// covariance. See ReviewCovariance().
struct CovarianceReview {
  /// The covariance under the noise that the residuals show; absent where they count as independent
  /// (what the method states then holds), and where it is withheld.
  std::optional<Eigen::MatrixXd> covariance;
  bool correlated = false;  ///< Residuals are correlated so much that σ grows.
  bool withheld = false;    ///< Residuals are systematic: no covariance covers them.
  /// Of the unknown that it changes most: its variance over that of independent samples.
  double variance_ratio = 1.0;
  std::string most_changed;           ///< That unknown.
  bool beside_coloured = false;       ///< "Independent" is what processing made of it.
  std::vector<std::string> findings;  ///< What residuals follow, see SystematicResiduals.
  double shift_in_sigma = 0.0;        ///< Likewise, beside the σ of correlated noise alone.
};

/// Judges the covariance P = `fit.inverse` of a weighted fit, or of a filter.
///
/// 0. Residuals below a tenth of the σ that the weights stand for tell nothing about it.
/// 1. If the correlation of residuals makes no variance larger by more than half, beside that of
///    independent noise or of the shape that processing gave it
///    (RegressionRows::declared_autocovariance()), nothing changes.
/// 2. Otherwise the covariance is the sandwich under the estimated noise: with P = L·Lᵀ,
///    A = LᵀDL, D = Σ_j w_j·Aᵀ W_jᵀ W_j A, and M of ColouredSums(),
///      C = L (1 − Q A Q + Q LᵀML Q) Lᵀ,
///    Q = 1 where P = (P₀⁻¹ + D)⁻¹: that is SandwichCovariance(). A filter with process noise
///    states more than that, and its estimate fits the last samples best: along eigenvectors of A
///    with eigenvalues a > 1, Q is 1/√a, so that noise inflates what it states as it inflates the
///    fit of all data, whose residuals tell the noise. Along no direction is C below what step 1
///    compares it with: few residuals look less noisy than they are more often than less.
/// 3. If the residuals follow state features (see FindSystematic()) that move the unknowns by δ,
///    the covariance is C + δδᵀ: the errors are as far from the truth as that in one direction. If
///    δ is more than twice σ (rms over unknowns), no covariance covers it: it is withheld.
/// Costs far more than a fit: ask JudgeResiduals() first.
/// @param noise_fit  a fit whose residuals tell the noise, of other weights; nullptr: `fit` itself.
CovarianceReview ReviewCovariance(const LinearRegression& regression, WeightedFit fit,
                                  const WeightedFit* noise_fit = nullptr);

/// Replaces a stated covariance by what the review says, and records the diagnostics
/// `long_run_variance_ratio` and, with findings, `systematic_shift_sigma`, and the notes `sigma`,
/// `residuals` (findings), `innovations` and, without a covariance, `covariance`. What differs from
/// trial to trial stands behind their first semicolon. Changes nothing if residuals count as
/// independent.
void RecordReview(const CovarianceReview& review, Estimate& estimate);

/// Asks for a review, and records it, where residuals look correlated and are not too small beside
/// the declared σ to tell.
/// @param statistics  of `fit.residuals`.
/// @param unknown     what to call an unknown whose name says nothing; empty: its name.
void ReviewResiduals(const LinearRegression& regression, const ResidualStatistics& statistics,
                     WeightedFit fit, Estimate& estimate, std::string_view unknown = {});

/// For what noise an online method states its covariance, where processing coloured it.
enum class StatedFor {
  kDeclaredNoise,  ///< As it is declared.
  kWhiteNoise,     ///< Of the same density: its σ is that for fits, see EquationRows.
};
/// Reviews the covariance that a method states with the declared σ, from its estimate at the end of
/// `datasets`; where the problem is not affine in x, linearised there. A covariance for white noise
/// is made one for the declared noise before. Does nothing without a covariance, without σ of all
/// rows, and where rows read the state of the joints. Where the unknowns change with time it does
/// not review: the residuals of the last estimate tell of the change.
void ReviewStated(const Problem& problem, std::span<const Dataset> datasets, StatedFor noise,
                  Estimate& estimate);
/// The same for an estimate that was carried over from what shows, if anything is hidden.
void ReviewStated(const std::optional<SeenUnknowns>& seen, const Problem& problem,
                  std::span<const Dataset> datasets, StatedFor noise, Estimate& estimate);

/// Returns the covariance of a weighted fit whose rows have noise of a variance and of the declared
/// shape, independent or as processing coloured it; `inverse` itself if no shape is declared.
/// @param inverse   N⁻¹ of the fit, see SandwichCovariance().
/// @param variance  γ_0 of each row.
Eigen::MatrixXd UnderDeclaredShape(const LinearRegression& regression,
                                   const Eigen::MatrixXd& inverse,
                                   const Eigen::Ref<const Eigen::VectorXd>& weights,
                                   const Eigen::Ref<const Eigen::VectorXd>& variance);

/// Records the diagnostic `condition`, and a note `solver` if the solution needed QR.
void StateSolver(const LeastSquaresSolution& solution, Estimate& estimate);

/// Records the covariance and the diagnostics of a weighted solution: that of samples with the
/// variance of each row's residuals, independent or as processing coloured them, or what
/// RecordReview() makes of it.
void StateCovariance(const LinearRegression& regression, const LeastSquaresSolution& solution,
                     const Eigen::Ref<const Eigen::VectorXd>& weights, Estimate& estimate);

}  // namespace idbench
