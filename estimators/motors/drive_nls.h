#pragma once

#include "estimators/interface/configured_estimator.h"
#include "estimators/motors/row_weights.h"
#include "estimators/solvers/parallel_filter.h"

namespace idbench {

struct DriveNlsOptions {
  std::optional<double> huber = 2.5;
  int rounds = 100;
  std::optional<PerJoint> dead_zone_rad_s;
  std::optional<ParallelFilter> parallel_filter;

  bool operator==(const DriveNlsOptions&) const = default;
};
FieldTable Visit(DriveNlsOptions& options);

/// Nonlinear least squares of all unknowns at once, with residuals of drives in units of what the
/// motors are fed, and of sensors with an unknown calibration in units of what they read. With
/// u_i(x) the torque that motor i has to exert, on the side of its joints, and
/// ŵ(x) = (1 + D)⁻¹·(W·π + o) the reading of such a sensor,
///
///   x̂ = argmin Σ_i Σ_t φ((v_i − u_i(x)/g_i)/σ_i) + Σ_k Σ_t φ((w_k − ŵ_k(x))/σ_k)
///       + Σ_j Σ_t φ((y_j − W_j π(x))/σ_j),
///
/// φ Huber's loss with the threshold `huber` (null: the square). Rows 0 = τ − B·diag(v)·g hold for
/// x = 0, and w = W·π + o − D·w for D = −1, so that their least squares shrinks gains and
/// calibrations; here v and w stand on the measured side, alone, as measured rows do, and nothing
/// shrinks. Where nothing gives gains and calibrations a scale the fit is rank-deficient. σ is that
/// of Gaussian noise with the median of the residuals' size, anew in each of at most `rounds`
/// rounds, in each of which Gauss-Newton steps converge with the weights of the round; a round that
/// moves the weighted prediction by 1e-5 of itself at most is the last. A step changes a gain, and
/// 1 + D, by half of itself at most. Gains begin at their prior mean where that is positive, else
/// at 1; D begins at its prior mean, 0 without a prior.
///
/// Where something touches the robot (Configuration::touched), u_i holds what the touch takes by
/// the measured wrench, see TorquePerWrench(), and rows of sensors that feel it do not count.
///
/// What the structure hides of x stays nearest to the prior mean, see EstimateSeen(). The
/// covariance is H⁻¹ (Σ_b s_b s_bᵀ) H⁻¹, with H the weighted Gauss-Newton matrix and s_b the score
/// of a part of the recorded time, 4 parts per unknown, which holds for noise and misfit that last
/// less than a part. Diagnostics: `rounds`, `condition`.
/// Source: Huber, Annals of Mathematical Statistics 35(1), 1964 (loss); Liang & Zeger, Biometrika
/// 73(1), 1986 (covariance).
class DriveNls : public ConfiguredEstimator<DriveNlsOptions> {
 public:
  EstimatorNeeds needs() const override;

 protected:
  void CheckProblem(const Problem& problem) override;
  /// @throws EstimationFailure (refused) as FindMotorRows() does; (rank_deficient) if the data do
  ///         not determine all that the structure shows; (not_converged) if the last round still
  ///         moves the estimate.
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;
};

}  // namespace idbench
