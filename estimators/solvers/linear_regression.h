#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "estimators/solvers/least_squares.h"
#include "estimators/solvers/prior_coordinates.h"
#include "estimators/solvers/regression_rows.h"

namespace idbench {

/// Regression y = W·π(x) + e of RegressionRows, reduced to sums per equation row. Any number of
/// weighted least-squares problems can be solved from the sums without another pass over the data.
///
/// Holds per equation row j:
///   Aᵀ W_jᵀ W_j A  and  Aᵀ W_jᵀ (y_j − W_j π₀).
/// If the weighted columns, scaled to unit norm, have a condition above 1e6, the solvers below read
/// the data again and triangularise them block by block (QR) instead.
class LinearRegression : public RegressionRows {
 public:
  /// Reads the data as RegressionRows does, and throws what it throws.
  LinearRegression(const Problem& problem, std::span<const Dataset> datasets,
                   const std::optional<ParallelFilter>& filter = std::nullopt);

  /// Returns ‖y_j‖²/N_j of each row, N_j its count; of drives ‖W_j π₀‖²/N_j.
  const Eigen::VectorXd& mean_square() const { return mean_square_; }

  /// Returns the normal equations of the problem that Solve() solves.
  NormalEquations WeightedSums(const Eigen::Ref<const Eigen::VectorXd>& weights) const;

  /// Returns false if the data show that no unknown is told by others: of each scaled column more
  /// than 1e-7 of its square is left beside those before it. O(p³), a small part of a fit.
  bool ColumnsMayDepend() const;

  /// Solves argmin_x Σ_j w_j·‖y_j − W_j π(x)‖².
  /// @param weights  w_j, one per row, positive.
  /// @throws EstimationFailure (refused) if there are fewer equations than unknowns;
  ///         (rank_deficient) if singular values of the scaled columns lie below 1e-9 of the
  ///         largest: the message names the unknowns that the data cannot tell apart.
  LeastSquaresSolution Solve(const Eigen::Ref<const Eigen::VectorXd>& weights) const;

  /// Solves argmin_δ Σ_ij w_ij·(e_ij − (W_j A)_i δ)²: a step of a fit whose samples differ in
  /// weight. Reads the data again.
  /// @param residuals  e, as Residuals() returns them, with 0 for what does not count.
  /// @param weights    w_ij ≥ 0, of the same sizes.
  /// @throws EstimationFailure as Solve() does.
  LeastSquaresSolution SolveStep(const std::vector<Eigen::MatrixXd>& residuals,
                                 const std::vector<Eigen::MatrixXd>& weights) const;

  /// Solves argmin_x ‖y − W π(x)‖² + λ·Σ_k ‖W A e_k‖²·(x_k − centre_k)², a ridge in scaled columns.
  /// An x_k without any effect stays at its centre. `inverse` and `condition` describe the
  /// penalised problem.
  /// @throws EstimationFailure (refused) if there are fewer equations than unknowns.
  LeastSquaresSolution SolveRidge(double lambda,
                                  const Eigen::Ref<const Eigen::VectorXd>& centre) const;

  /// Solves argmin Σ_j w_j·‖y_j − W_j π(x)‖² + ‖z‖² over x = mean + root·(z, u): with a covariance
  /// P and without u the penalty is (x − mean)ᵀ P⁻¹ (x − mean), and P may be singular. `inverse` is
  /// that of x, the posterior covariance if w_j = 1/σ_j²; `condition` is that of (z, u).
  /// @throws EstimationFailure (rank_deficient) if the data do not determine u, or the prior is
  /// lost
  ///         beside them in double precision.
  LeastSquaresSolution SolveWithPrior(const Eigen::Ref<const Eigen::VectorXd>& weights,
                                      const PriorCoordinates& prior) const;

  /// Returns ResidualSquares(to.x), computed from `squares` = ResidualSquares(from.x) and the sums:
  /// with δ = to − from,
  ///   squares_j − 2·δᵀ Aᵀ W_jᵀ (y_j − W_j π(from)) + ‖W_j A δ‖².
  /// Between two weighted fits δ is small, and so is its round-off. If either fit needed QR, the
  /// sums do not suffice and this reads the data again.
  Eigen::VectorXd MovedSquares(const Eigen::Ref<const Eigen::VectorXd>& squares,
                               const LeastSquaresSolution& from,
                               const LeastSquaresSolution& to) const;

  /// Returns the covariance of a weighted solution if row j has noise variance s_j = `variance[j]`:
  /// with N = Σ_j w_j·Aᵀ W_jᵀ W_j A,
  ///   N⁻¹ (Σ_j w_j² s_j·Aᵀ W_jᵀ W_j A) N⁻¹.
  Eigen::MatrixXd Covariance(const LeastSquaresSolution& solution,
                             const Eigen::Ref<const Eigen::VectorXd>& weights,
                             const Eigen::Ref<const Eigen::VectorXd>& variance) const;

 private:
  void SumUp();
  /// Solves SolveWithPrior() and returns (z, u). Without a prior it solves
  /// argmin_x Σ_j w_j·‖y_j − W_j π(x)‖².
  LeastSquaresSolution SolveAbout(const Eigen::Ref<const Eigen::VectorXd>& weights,
                                  const PriorCoordinates* prior) const;
  LeastSquaresSolution SolveByQr(const Eigen::Ref<const Eigen::VectorXd>& weights,
                                 const PriorCoordinates* prior) const;

  std::vector<NormalEquations> sums_;  ///< Per row.
  Eigen::VectorXd mean_square_;
};

}  // namespace idbench
