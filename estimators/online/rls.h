#pragma once

#include "estimators/interface/configured_estimator.h"
#include "estimators/interface/online_estimator.h"
#include "estimators/solvers/row_noise.h"
#include "estimators/solvers/sample_regression.h"
#include "estimators/solvers/stated_covariance.h"

namespace idbench {

struct RlsOptions {
  std::optional<double> forgetting_time_s;

  bool operator==(const RlsOptions&) const = default;
};
FieldTable Visit(RlsOptions& options);

/// Recursive least squares in the directions of x that the equations can tell apart, with
/// exponential forgetting: a sample of age T counts 1/e,
///   ẑ = argmin Σ_k e^−(t − t_k)/T ‖R^−½(y_k − ŷ_k(z))‖² + e^−t/T ‖z‖²,   x = x₀ + S·V₁·z.
///
/// The directions V₁ (orthonormal, as many as there are base parameters) come from the singular
/// values of the problem's own columns at fixed random states. If the problem states a prior
/// covariance, it is S·Sᵀ, and the term ‖z‖² is that prior. Otherwise that term is absent, S scales
/// the columns, and there is no estimate before the data determine all of z. In both cases x is, of
/// all x with the same predictions, the one nearest to the prior mean x₀ (0 without a prior) in the
/// metric of S. Rows are weighted by the declared σ; equally unless all rows declare it.
///
/// The sums are stored as an orthogonal factor (square-root information filter), which loses no
/// digits: one Givens rotation for each z and row. The remainder of a row is its normalised
/// innovation; `normalised_innovation_squared` is the mean of their squares, with declared σ. The
/// method states a covariance without forgetting, with declared σ, and if prior and data determine
/// all of x.
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
  /// @throws EstimationFailure (rank_deficient) if data and prior do not determine all of z.
  Estimate Snapshot() const override;
  void Review(const Problem& problem, std::span<const Dataset> datasets,
              Estimate& estimate) const override {
    ReviewStated(problem, datasets, StatedFor::kDeclaredNoise, estimate);
  }

 private:
  void Forget(double t_s);
  /// What a row leaves behind in the triangle.
  struct Rotated {
    double left;  ///< Remainder of y, ν/√s with the innovation ν and its variance s.
    double kept;  ///< σ/√s
    bool fills;   ///< A diagonal entry was 0.
  };
  /// Rotates (row_, y) into the triangle.
  Rotated RotateIn(double y);

  /// Returns the variance over σ² of the innovation of row j, which is `row_` over σ, under
  /// coloured noise; adds the row to `sums_`.
  double AbsorbColoured(Eigen::Index j);
  /// Returns (triangleᵀ·triangle)⁻¹·v; 0 along columns that nothing has filled yet.
  Eigen::VectorXd SolveSums(const Eigen::VectorXd& v) const;

  /// @param inverse  of the triangle.
  void StateCovariance(const Eigen::MatrixXd& inverse, Estimate& estimate) const;

  Eigen::VectorXd x0_;
  Eigen::MatrixXd S_, V1_;
  bool has_prior_ = false;                      ///< The problem has a prior covariance.
  bool declared_ = false;                       ///< All rows declare σ.
  std::optional<SampleRegression> regression_;  ///< In z.
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  RowMajor triangle_;  ///< Upper: ‖triangle·z − right‖² is the cost up to a constant.
  Eigen::VectorXd right_;
  Eigen::VectorXd origin_;  ///< z = 0.
  Eigen::VectorXd residual_;
  std::optional<RowNoise> noise_;
  /// Under coloured noise the covariance of `triangleᵀ·right`, prior included; empty if it is
  /// white.
  Eigen::MatrixXd sums_;
  Eigen::VectorXd past_;
  Eigen::RowVectorXd row_, rotated_;
  std::optional<double> last_t_s_;
  double innovation_squares_ = 0.0;
  Eigen::Index innovation_rows_ = 0, rows_left_out_ = 0;
};

}  // namespace idbench
