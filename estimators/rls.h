#pragma once

#include "estimators/online_estimator.h"
#include "estimators/sample_regression.h"

namespace idbench {

struct RlsOptions {
  std::optional<double> forgetting_time_s;

  bool operator==(const RlsOptions&) const = default;
};
FieldTable Visit(RlsOptions& options);

/// Recursive least squares in the directions of x that the equations can tell apart, with
/// exponential forgetting: after the time T a sample counts 1/e,
///   ẑ = argmin Σ_k e^−(t − t_k)/T ‖R^−½(y_k − ŷ_k(z))‖² + e^−t/T ‖z‖²,   x = x₀ + S·V₁·z.
///
/// The directions V₁ (orthonormal, as many as there are base parameters) are found from singular
/// values of the problem's own columns on fixed random states. S·Sᵀ is the prior's covariance, if
/// the problem states one; then ‖z‖² is what it says, and counts too. Without, nothing but data
/// counts, S scales columns, and there is no estimate before they determine all of z. Either way x
/// is, of all x that predict the same, the one nearest to the prior x₀ (0 without) in the metric of
/// S. Rows are weighted by the declared σ, alike if it is not declared for all.
///
/// The sums are kept as an orthogonal factor (square-root information filter), so that no digits
/// are lost: a Givens rotation for each z and row. What a row leaves over is its normalised
/// innovation; `normalised_innovation_squared` is the mean of their squares. A covariance is stated
/// without forgetting, for declared σ, where prior and data hold all of x. Source: Bierman,
/// Factorization Methods for Discrete Sequential Estimation, 1977, chapters II and V; base
/// parameters: Gautier, Journal of Robotic Systems 8(4), 1991.
class Rls : public OnlineEstimator {
 public:
  FieldTable Fields() override { return Visit(options_); }
  EstimatorNeeds needs() const override;

 protected:
  /// @throws EstimationFailure (refused) if no gap in the singular values tells the directions from
  ///         round-off, or for a prior covariance that is none.
  void Start(const Problem& problem) override;
  void Absorb(const Sample& sample) override;
  /// @throws EstimationFailure (rank_deficient) if data and prior do not determine all of z.
  Estimate Snapshot() const override;

 private:
  void Forget(double t_s);
  /// Rotates (row_, y) into the triangle. Returns what is left of y, and sets `fills` if a diagonal
  /// entry was 0.
  double RotateIn(double y, bool& fills);

  /// @param inverse  of the triangle.
  void StateCovariance(const Eigen::MatrixXd& inverse, Estimate& estimate) const;

  RlsOptions options_;
  Eigen::VectorXd x0_;
  Eigen::MatrixXd S_, V1_;
  bool has_prior_ = false;                      ///< With a covariance.
  bool declared_ = false;                       ///< σ, of all rows.
  std::optional<SampleRegression> regression_;  ///< In z.
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  RowMajor triangle_;  ///< Upper: ‖triangle·z − right‖² is the cost up to a constant.
  Eigen::VectorXd right_;
  Eigen::VectorXd origin_;  ///< z = 0.
  Eigen::VectorXd residual_;
  Eigen::RowVectorXd row_, rotated_;
  std::optional<double> last_t_s_;
  double innovation_squares_ = 0.0;
  Eigen::Index innovation_rows_ = 0, rows_left_out_ = 0;
};

}  // namespace idbench
