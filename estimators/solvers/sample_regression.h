#pragma once

#include <Eigen/Core>
#include <memory>
#include <utility>
#include <vector>

#include "estimators/interface/row_mask.h"
#include "estimators/interface/sample.h"
#include "robots/dynamics/rows.h"

namespace idbench {

/// Equations of one sample as a function of the unknowns, linearised about some x̄:
///   y = W(q, q̇, q̈)·π(x) + e = H·x + y₀ + e,  H = W·∂π/∂x,  y₀ = W·π(x̄) − H·x̄,
/// W with the columns of what is attached in the sample's configuration.
/// If π is affine in x, this is exact and the same for every x̄. If x is the state of the
/// joints, H selects what a sensor reads. Rows are ordered as in Sample::y. Allocates nothing
/// after construction.
class SampleRegression {
 public:
  /// @param problem  must declare σ for every equation row (asserted).
  explicit SampleRegression(const Problem& problem);
  SampleRegression(const SampleRegression&) = delete;  // rows refer to dynamics
  SampleRegression& operator=(const SampleRegression&) = delete;

  /// Evaluates W, and H and y₀ too if π is affine.
  /// @param sample  sizes as given by the problem.
  void Evaluate(const Sample& sample);
  /// Computes H and y₀ at x̄ = `x` for the sample of the last Evaluate(). Does nothing
  /// if π is affine.
  void Linearise(const Eigen::Ref<const Eigen::VectorXd>& x);

  /// Returns H, rows × unknowns.
  const Eigen::MatrixXd& H() const { return H_; }
  /// Computes e = y − H·x − y₀ at `x`; exact at x̄. NaN in rows that do not count, see RowMask.
  /// @param[out] residual  one entry per row, overwritten; must not alias `x`.
  void Residual(const Sample& sample, const Eigen::Ref<const Eigen::VectorXd>& x,
                Eigen::VectorXd& residual) const;

  /// Returns the declared variance σ² of each row.
  const Eigen::VectorXd& variance() const { return variance_; }

 private:
  /// The robot in one configuration.
  struct Configured {
    /// @param columns  of the regressors, indices into π.
    Configured(const Problem& problem, int configuration, const std::vector<int>& columns);

    Dynamics dynamics;
    Dynamics::Scratch scratch;
    /// For each equation in π, its first row and its regressor.
    std::vector<std::pair<Eigen::Index, RowRegressor>> rows;
  };

  /// Computes H = W·J and y₀ = W·π from J and π of `at_`.
  void Multiply();

  Parametrisation parameters_;
  Linearisation at_;
  std::vector<Eigen::Index> column_of_;  ///< For each entry of π its column in W; −1 if W has none.
  std::vector<std::unique_ptr<Configured>> configured_;  ///< One per configuration.
  Eigen::MatrixXd W_;                                    ///< Rows × used entries of π.
  Eigen::MatrixXd read_state_;  ///< Rows × unknowns: selects what joint sensors read of the state.
  Eigen::MatrixXd H_;
  Eigen::VectorXd y0_, variance_;
  RowMask mask_;
};

}  // namespace idbench
