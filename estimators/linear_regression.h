#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "estimators/estimator.h"
#include "estimators/least_squares.h"
#include "estimators/parallel_filter.h"
#include "estimators/residual_statistics.h"
#include "robots/dynamics/rows.h"

namespace idbench {

/// The regression y = W·π(x) + e of an affine parametrisation π = π₀ + A·x, summed up row by row:
/// one weighted least-squares problem after another can be solved on it without touching the data.
///
/// Kept per equation row j (a joint's torque, a component of the base wrench; torques first):
///   Aᵀ W_jᵀ W_j A  and  Aᵀ W_jᵀ (y_j − W_j π₀).
/// Where the weighted columns, scaled to unit norm, have a condition above 1e6, Solve() goes back
/// to the data and triangularises them block by block (QR) instead.
class LinearRegression {
 public:
  /// Reads the identification datasets of `datasets`, which must outlive this.
  /// @throws EstimationFailure (refused) for a parametrisation that is not affine, channels that
  ///         are missing, not sampled together or of a wrong size, numbers that are not finite, no
  ///         samples, or what `filter` does not take.
  LinearRegression(const Problem& problem, std::span<const Dataset> datasets,
                   const std::optional<ParallelFilter>& filter = std::nullopt);
  LinearRegression(const LinearRegression&) = delete;  // rows_ refers to dynamics_
  LinearRegression& operator=(const LinearRegression&) = delete;

  /// Samples per equation row, of all datasets.
  Eigen::Index samples() const { return samples_; }
  int row_count() const { return rows_.row_count(); }
  int unknowns() const { return static_cast<int>(names_.size()); }
  const std::vector<std::string>& names() const { return names_; }
  /// ‖y_j‖²/samples, per row.
  const Eigen::VectorXd& mean_square() const { return mean_square_; }
  /// σ_j as the problem declares it, per row; empty unless it does for all.
  const Eigen::VectorXd& declared_sigma() const { return declared_sigma_; }

  /// Normal equations of what Solve() minimises.
  NormalEquations WeightedSums(const Eigen::Ref<const Eigen::VectorXd>& weights) const;

  /// argmin_x Σ_j w_j·‖y_j − W_j π(x)‖².
  /// @param weights  one per row, positive.
  /// @throws EstimationFailure (refused) for fewer equations than unknowns; (rank_deficient) naming
  ///         what cannot be told apart, if singular values of the scaled columns lie below 1e-9 of
  ///         the largest.
  LeastSquaresSolution Solve(const Eigen::Ref<const Eigen::VectorXd>& weights) const;

  /// argmin_x ‖y − W π(x)‖² + λ·Σ_k ‖W A e_k‖²·(x_k − centre_k)²: a ridge in scaled columns. An x_k
  /// without any effect stays at its centre. `inverse` and `condition` are the penalised problem's.
  /// @throws EstimationFailure (refused) for fewer equations than unknowns.
  LeastSquaresSolution SolveRidge(double lambda,
                                  const Eigen::Ref<const Eigen::VectorXd>& centre) const;

  /// argmin_x Σ_j w_j·‖y_j − W_j π(x)‖² + (x − centre)ᵀ P⁻¹ (x − centre),  P = root·rootᵀ.
  /// P may be singular: x moves by root·z, with ‖z‖² for the penalty. `inverse` is that of x, the
  /// posterior covariance for w_j = 1/σ_j²; `condition` is that of z.
  /// @param root  p × p.
  LeastSquaresSolution SolveWithPrior(const Eigen::Ref<const Eigen::VectorXd>& weights,
                                      const Eigen::Ref<const Eigen::VectorXd>& centre,
                                      const Eigen::MatrixXd& root) const;

  /// y − W·π(x), one matrix (samples × rows) per dataset. O(samples), the data are read again.
  std::vector<Eigen::MatrixXd> Residuals(const Eigen::Ref<const Eigen::VectorXd>& x) const;

  /// ‖y_j − W_j π(x)‖², per row. O(samples), the data are read again.
  Eigen::VectorXd ResidualSquares(const Eigen::Ref<const Eigen::VectorXd>& x) const;

  /// ResidualSquares(to.x), from `squares` = ResidualSquares(from.x) and the sums: with δ = to −
  /// from,
  ///   squares_j − 2·δᵀ Aᵀ W_jᵀ (y_j − W_j π(from)) + ‖W_j A δ‖².
  /// The steps between two weighted fits are small, and so is their round-off; where one of them
  /// needed QR the sums do not suffice and the data are read again.
  Eigen::VectorXd MovedSquares(const Eigen::Ref<const Eigen::VectorXd>& squares,
                               const LeastSquaresSolution& from,
                               const LeastSquaresSolution& to) const;

  /// Covariance of a weighted solution when row j has noise variance s_j = `variance[j]`: with
  /// N = Σ_j w_j·Aᵀ W_jᵀ W_j A,  N⁻¹ (Σ_j w_j² s_j·Aᵀ W_jᵀ W_j A) N⁻¹.
  Eigen::MatrixXd Covariance(const LeastSquaresSolution& solution,
                             const Eigen::Ref<const Eigen::VectorXd>& weights,
                             const Eigen::Ref<const Eigen::VectorXd>& variance) const;

 private:
  /// What one dataset contributes.
  struct Part {
    AlignedView view;
    Eigen::MatrixXd y;                      ///< Samples × rows, filtered if a filter is asked for.
    std::vector<Eigen::MatrixXd> filtered;  ///< W_j; empty without a filter.
    /// `count` samples from `first` on; only without a filter.
    StateSamples States(Eigen::Index first, Eigen::Index count) const;
    StateSamples States() const { return States(0, view.size()); }
  };
  /// What the unknowns do to one row: π of its columns = pi0 + A·x.
  struct RowMap {
    Eigen::VectorXd pi0;
    Eigen::SparseMatrix<double> A;
  };

  void MapRows(const AffineMap& map);
  void AddDataset(const Problem& problem, const Dataset& dataset,
                  const std::optional<ParallelFilter>& filter);
  void SumUp();
  void CheckEnoughSamples() const;
  /// z of argmin_z Σ_j w_j·‖y_j − W_j π(centre + root·z)‖² + ‖z‖²; without a root argmin_z Σ_j
  /// w_j·‖y_j − W_j π(centre + z)‖².
  LeastSquaresSolution SolveAbout(const Eigen::Ref<const Eigen::VectorXd>& centre,
                                  const Eigen::Ref<const Eigen::VectorXd>& weights,
                                  const Eigen::MatrixXd* root) const;
  LeastSquaresSolution SolveByQr(const Eigen::Ref<const Eigen::VectorXd>& centre,
                                 const Eigen::Ref<const Eigen::VectorXd>& weights,
                                 const Eigen::MatrixXd* root) const;

  std::vector<std::string> names_;
  std::vector<int> columns_;  ///< Parameters π that matter: in π₀ or moved by x.
  Dynamics dynamics_;
  std::vector<Equation> equations_;  ///< In the order of rows_.
  RowRegressor rows_;
  Eigen::VectorXd pi0_;  ///< All of π₀.
  Eigen::MatrixXd A_;
  std::vector<RowMap> maps_;
  std::vector<Part> parts_;
  std::vector<NormalEquations> sums_;  ///< Per row.
  Eigen::VectorXd mean_square_, declared_sigma_;
  Eigen::Index samples_ = 0;
};

/// States the condition, and by a note that it asked for QR.
void StateSolver(const LeastSquaresSolution& solution, Estimate& estimate);

/// States the covariance and the diagnostics of a weighted solution. No covariance is stated where
/// residuals are so correlated in time that some unknown's variance would be another with the noise
/// at low frequency, v_j·σ_j² in place of σ_j²; a note says which.
void StateCovariance(const LinearRegression& regression, const LeastSquaresSolution& solution,
                     const Eigen::Ref<const Eigen::VectorXd>& weights,
                     const ResidualStatistics& residuals, Estimate& estimate);

}  // namespace idbench
