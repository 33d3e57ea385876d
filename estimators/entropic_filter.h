#pragma once

#include <Eigen/Cholesky>

#include "estimators/entropic_fit.h"
#include "estimators/online_estimator.h"
#include "estimators/sample_regression.h"

namespace idbench {

struct EntropicFilterOptions {
  double lambda = 1.0;

  bool operator==(const EntropicFilterOptions&) const = default;
};
FieldTable Visit(EntropicFilterOptions& options);

/// Information filter whose bodies are always physically consistent. Each sample adds to the sums
///   N ← N + HᵀR⁻¹H,  b ← b + HᵀR⁻¹(y − y₀),
/// and the estimate is the minimum of a convex cost in which a barrier keeps every pseudo-inertia
/// positive definite, near to the prior in the entropic divergence D (see consistent_fit.h):
///   x̂ = argmin ½ xᵀNx − bᵀx + λ·Σ_i D(P_i ‖ P_i,prior) + Gaussian prior of what moves no body.
///
/// Nothing is linearised, so the estimate does not depend on the order of the samples. Newton's
/// method starts from the last solution, which updates renew as data come in: after a quarter more
/// samples, 25 at most; which samples renew depends on their number only. Where data contradict
/// each other so much that this start is stuck at the boundary, it starts from the prior, in
/// milliseconds. At the sample behind each renewal the innovation is looked at:
/// `normalised_innovation_squared` is the mean of eᵀ(HPHᵀ + R)⁻¹e/rows over them, near 1 if model
/// and σ hold. The covariance is Laplace's, the inverse Hessian at the minimum. Other diagnostics:
/// see StateSolution(); `renewals`.
///
/// Takes affine problems with a consistent prior of every body that x moves: `standard`, `payload`,
/// `masses_and_moments`, but not `base`. Source of the divergence: Lee, Wensing & Park, IEEE T-RO
/// 36(1), 2020.
class EntropicFilter : public OnlineEstimator {
 public:
  FieldTable Fields() override { return Visit(options_); }
  EstimatorNeeds needs() const override;

 protected:
  /// @throws EstimationFailure (refused) as EntropicPrior does.
  void Start(const Problem& problem) override;
  void Absorb(const Sample& sample) override;
  Estimate Snapshot() const override;

 private:
  void LookAtInnovation(const Sample& sample);
  void AddRows();
  void Renew();

  EntropicFilterOptions options_;
  std::optional<Problem> problem_;
  std::optional<EntropicPrior> prior_;
  std::optional<SampleRegression> regression_;  ///< In v.
  std::optional<EntropicFit> fit_;
  Eigen::MatrixXd N_;
  Eigen::VectorXd b_;
  Eigen::VectorXd v_;               ///< The last solution.
  Eigen::VectorXd at_prior_;        ///< v = 0.
  Eigen::VectorXd residual_, row_;  ///< y − y₀; a row of H.
  Eigen::MatrixXd whitened_;        ///< L⁻¹Hᵀ, L·Lᵀ the curvature at the last solution.
  Eigen::MatrixXd innovation_variance_;
  Eigen::VectorXd innovation_;
  Eigen::LLT<Eigen::MatrixXd> innovation_factor_;
  Eigen::Index samples_ = 0, next_renewal_ = 1, renewals_ = 0;
  bool renewed_ = false;  ///< By the sample before.
  Eigen::Index rows_left_out_ = 0, innovation_rows_ = 0;
  double innovation_squares_ = 0.0;
};

}  // namespace idbench
