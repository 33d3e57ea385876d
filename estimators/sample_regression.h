#pragma once

#include <Eigen/Core>
#include <vector>

#include "estimators/sample.h"
#include "robots/dynamics/rows.h"

namespace idbench {

/// The equations of one sample as they depend on the unknowns, to first order about some x̄:
///   y = W(q, q̇, q̈)·π(x) + e = H·x + y₀ + e,  H = W·∂π/∂x,  y₀ = W·π(x̄) − H·x̄.
/// Where π is affine in x, this is exact and the same for all x̄. Rows as in Sample::y. Allocates
/// nothing after construction.
class SampleRegression {
 public:
  explicit SampleRegression(const Problem& problem);
  SampleRegression(const SampleRegression&) = delete;  // rows_ refer to dynamics_
  SampleRegression& operator=(const SampleRegression&) = delete;

  /// Evaluates W, and H where π is affine. @param sample  sizes as the problem's.
  void Evaluate(const Sample& sample);
  /// H and y₀ of the last Evaluate() at x̄ = `x`; nothing to do where π is affine.
  void Linearise(const Eigen::Ref<const Eigen::VectorXd>& x);

  /// Rows × unknowns.
  const Eigen::MatrixXd& H() const { return H_; }
  /// e = y − H·x − y₀ at `x`; exact at x̄.
  void Residual(const Sample& sample, const Eigen::Ref<const Eigen::VectorXd>& x,
                Eigen::VectorXd& residual) const;

  /// Declared σ² of each row.
  const Eigen::VectorXd& variance() const { return variance_; }

 private:
  /// H = W·J and y₀ = W·π, J and π those of `at_`.
  void Multiply();

  Parametrisation parameters_;
  Linearisation at_;
  std::vector<Eigen::Index> column_of_;  ///< In W, of each entry of π; −1 if it is not used.
  Dynamics dynamics_;
  Dynamics::Scratch scratch_;
  std::vector<RowRegressor> rows_;  ///< One for each kind of equation.
  Eigen::MatrixXd W_;               ///< Rows × used entries of π.
  Eigen::MatrixXd H_;
  Eigen::VectorXd y0_, variance_;
};

}  // namespace idbench
