#pragma once

#include "estimators/interface/configured_estimator.h"
#include "estimators/interface/online_estimator.h"
#include "estimators/solvers/information_filter.h"
#include "estimators/solvers/prior_coordinates.h"
#include "estimators/solvers/sample_regression.h"
#include "estimators/solvers/seen_unknowns.h"

namespace idbench {

struct RlsOptions {
  std::optional<double> forgetting_time_s;

  bool operator==(const RlsOptions&) const = default;
};
FieldTable Visit(RlsOptions& options);

/// Recursive least squares in the directions of x that the equations can tell apart, with
/// exponential forgetting: a sample of age T counts 1/e,
///   (ẑ, û) = argmin Σ_k e^−(t − t_k)/T ‖R^−½(y_k − ŷ_k(z, u))‖² + e^−t/T ‖z‖²,
///   x = x₀ + S·V₁·z + U·u.
///
/// The directions V₁ (orthonormal, as many as there are base parameters) come from the singular
/// values of the problem's own columns at fixed random states. If the problem states a prior
/// covariance, it is S·Sᵀ, the term ‖z‖² is that prior, and U are the directions that it knows
/// nothing of. Otherwise that term is absent, and S scales the columns. There is no estimate before
/// the data determine what no prior holds. In both cases x is, of all x with the same predictions,
/// the one nearest to the prior mean x₀ (0 without a prior) in the metric of S. Rows are weighted
/// by the declared σ; as with σ = 1 unless all rows declare it, which the note `weights` tells
/// beside a prior.
///
/// `normalised_innovation_squared` is that of the InformationFilter, with declared σ. The method
/// states a covariance without forgetting and with declared σ; of combinations (see CarriedOver())
/// where the structure hides what no prior holds.
/// Source: Bierman, Factorization Methods for Discrete Sequential Estimation, 1977, chapters II and
/// V; base parameters: Gautier, Journal of Robotic Systems 8(4), 1991.
class Rls : public ConfiguredEstimator<RlsOptions, OnlineEstimator> {
 public:
  EstimatorNeeds needs() const override;
  bool follows() const override { return options_.forgetting_time_s.has_value(); }
  FrameDependence frame_dependence() const override { return {.by_prior_sigma = true}; }

 protected:
  /// @throws EstimationFailure (refused) if no gap in the singular values separates the directions
  ///         from round-off, or if the prior covariance is not positive semi-definite.
  void Start(const Problem& problem) override;
  void Absorb(const Sample& sample) override;
  /// @throws EstimationFailure (rank_deficient) if data and prior do not determine all of z and u.
  Estimate Snapshot() const override;
  void Review(const Problem& problem, std::span<const Dataset> datasets,
              Estimate& estimate) const override;

 private:
  void Forget(double t_s);
  /// Sets the coordinates, from the columns of x on fixed states.
  void SetCoordinates(const Parametrisation& parameters, const Eigen::MatrixXd& columns);
  Estimate StateSolution() const;
  /// @param covariance  of the coordinates.
  void StateCovariance(const Eigen::MatrixXd& covariance, Estimate& estimate) const;

  std::optional<SeenUnknowns> seen_;  ///< What is estimated, where not x itself.
  std::vector<std::string> names_;    ///< Of that.
  /// Of the covariance of a prior, or with free coordinates alone.
  PriorCoordinates coordinates_;
  Eigen::MatrixXd W_;  ///< Coordinates that the equations show: those of z are V₁'s, all of u.
  Eigen::MatrixXd hidden_;                      ///< Root of what the prior states of the rest.
  bool has_prior_ = false;                      ///< The problem has a prior covariance.
  bool declared_ = false;                       ///< All rows declare σ.
  std::optional<SampleRegression> regression_;  ///< In the coordinates that show.
  std::optional<InformationFilter> filter_;
  Eigen::VectorXd origin_;  ///< Coordinates 0.
  Eigen::VectorXd residual_;
  std::optional<double> last_t_s_;
};

}  // namespace idbench
