#pragma once

#include <Eigen/Cholesky>

#include "estimators/interface/configured_estimator.h"
#include "estimators/interface/online_estimator.h"
#include "estimators/solvers/entropic_fit.h"
#include "estimators/solvers/sample_regression.h"
#include "estimators/solvers/stated_covariance.h"

namespace idbench {

struct EntropicFilterOptions {
  std::optional<double> lambda;  ///< See EntropicPrior::Weight().

  bool operator==(const EntropicFilterOptions&) const = default;
};
FieldTable Visit(EntropicFilterOptions& options);

/// Information filter whose bodies are always physically consistent. Each sample adds to the sums
///   N ← N + HᵀR⁻¹H,  b ← b + HᵀR⁻¹(y − y₀),
/// and the estimate minimises a convex cost, in which a barrier keeps every pseudo-inertia positive
/// definite and near the prior in the entropic divergence D (see consistent_fit.h):
///   x̂ = argmin ½ xᵀNx − bᵀx + λ·Σ_i D(P_i ‖ P_i,prior) + Gaussian prior of the others.
///
/// Nothing is linearised, so the estimate does not depend on the order of the samples. Newton's
/// method starts from the last solution. Updates renew that solution after a quarter more samples,
/// 25 at most; which samples renew it depends on their number only. If the data contradict each
/// other so much that this start gets stuck at the boundary, Newton's method starts from the prior,
/// which takes milliseconds. The sample after each renewal yields an innovation:
/// `normalised_innovation_squared` is the mean of eᵀ(HPHᵀ + R)⁻¹e/rows over these, near 1 if model
/// and σ are right; absent where processing coloured the noise, which the samples between renewals
/// remember. The covariance is Laplace's, the inverse Hessian at the minimum. Further
/// diagnostics: `renewals`, `rows_left_out`, and those of StateSolution().
///
/// Accepts affine problems with a consistent prior of every body that x moves: `standard`,
/// `payload`, `masses_and_moments`, but not `base`. Source of the divergence: Lee, Wensing & Park,
/// IEEE T-RO 36(1), 2020.
class EntropicFilter : public ConfiguredEstimator<EntropicFilterOptions, OnlineEstimator> {
 public:
  EstimatorNeeds needs() const override;

 protected:
  /// @throws EstimationFailure (refused) as EntropicPrior and its RequireAllSaid() do.
  void Start(const Problem& problem) override;
  void Absorb(const Sample& sample) override;
  Estimate Snapshot() const override;
  void Review(const Problem& problem, std::span<const Dataset> datasets,
              Estimate& estimate) const override {
    ReviewStated(problem, datasets, StatedFor::kWhiteNoise, estimate);
  }

 private:
  void LookAtInnovation(const Sample& sample);
  void AddRows();
  void Renew();

  std::optional<Problem> problem_;
  std::optional<EntropicPrior> prior_;
  std::optional<SampleRegression> regression_;  ///< In v.
  std::optional<EntropicFit> fit_;
  double lambda_ = 1.0;
  Eigen::MatrixXd N_;
  Eigen::VectorXd b_;
  Eigen::VectorXd v_;               ///< Last solution.
  Eigen::VectorXd at_prior_;        ///< v = 0.
  Eigen::VectorXd residual_, row_;  ///< y − y₀; a row of H.
  Eigen::MatrixXd whitened_;  ///< L⁻¹Hᵀ, with L·Lᵀ the curvature at the last solution.
  Eigen::MatrixXd innovation_variance_;
  Eigen::VectorXd innovation_;
  Eigen::LLT<Eigen::MatrixXd> innovation_factor_;
  Eigen::Index samples_ = 0, next_renewal_ = 1, renewals_ = 0;
  bool determined_ = false;  ///< The samples tell what no prior holds.
  bool renewed_ = false;     ///< Whether the last sample renewed the solution.
  bool white_ = true;        ///< Noise is declared as independent samples.
  Eigen::Index rows_left_out_ = 0, innovation_rows_ = 0;
  double innovation_squares_ = 0.0;
};

}  // namespace idbench
