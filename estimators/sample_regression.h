#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

#include "estimators/sample.h"
#include "robots/dynamics/rows.h"

namespace idbench {

/// The equations of one sample as they depend on the unknowns of an affine parametrisation:
///   y = W(q, q̇, q̈)·π(x) + e = H·x + y₀ + e,  H = W·A,  y₀ = W·π₀.
/// Rows as in Sample::y. Allocates nothing after construction.
class SampleRegression {
 public:
  /// @param problem  its parametrisation must be affine.
  explicit SampleRegression(const Problem& problem);
  SampleRegression(const SampleRegression&) = delete;  // rows_ refer to dynamics_
  SampleRegression& operator=(const SampleRegression&) = delete;

  /// Evaluates W. @param sample  sizes as the problem's.
  void Evaluate(const Sample& sample);

  /// Rows × unknowns, of the last Evaluate().
  const Eigen::MatrixXd& H() const { return H_; }
  /// e = y − H·x − y₀ at `x`, of the last Evaluate().
  void Residual(const Sample& sample, const Eigen::Ref<const Eigen::VectorXd>& x,
                Eigen::VectorXd& residual) const;

  /// Declared σ² of each row.
  const Eigen::VectorXd& variance() const { return variance_; }

 private:
  Dynamics dynamics_;
  Dynamics::Scratch scratch_;
  std::vector<RowRegressor> rows_;  ///< One for each kind of equation.
  Eigen::SparseMatrix<double> A_;   ///< Used entries of π × unknowns.
  Eigen::SparseVector<double> pi0_;
  Eigen::MatrixXd W_;  ///< Rows × used entries of π.
  Eigen::MatrixXd H_;
  Eigen::VectorXd y0_, variance_;
};

}  // namespace idbench
