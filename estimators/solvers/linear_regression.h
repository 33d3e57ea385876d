#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "estimators/interface/estimator.h"
#include "estimators/interface/row_mask.h"
#include "estimators/solvers/least_squares.h"
#include "estimators/solvers/parallel_filter.h"
#include "estimators/solvers/residual_statistics.h"
#include "robots/dynamics/rows.h"

namespace idbench {

/// Some consecutive samples of one equation row, see LinearRegression::VisitColumns().
struct RowColumns {
  Eigen::Index dataset;  ///< Which of those for identification.
  Eigen::Index row;      ///< Equation row.
  Eigen::Index first;    ///< Index of the first sample in the dataset, as Residuals() counts them.
  Eigen::MatrixXd A;  ///< W_j·A of these samples, samples × unknowns; 0 where a row is left out.
};

/// Regression y = W·π(x) + e of an affine parametrisation π = π₀ + A·x, reduced to sums per
/// equation row. Any number of weighted least-squares problems can be solved from the sums without
/// another pass over the data.
///
/// Holds per equation row j (in the order of a RowRegressor), over data of all configurations:
///   Aᵀ W_jᵀ W_j A  and  Aᵀ W_jᵀ (y_j − W_j π₀).
/// If the weighted columns, scaled to unit norm, have a condition above 1e6, the solvers below read
/// the data again and triangularise them block by block (QR) instead.
class LinearRegression {
 public:
  /// Reads the identification datasets among `datasets`, which must outlive this object.
  /// @param filter  low-pass for both sides of the equations; none if absent.
  /// @throws EstimationFailure (refused) if the parametrisation is not affine or has no unknowns;
  ///         if an equation measures joint positions or velocities; if a channel is missing, was
  ///         not sampled together with the others, has a wrong number of columns or holds a number
  ///         that is not finite; if there are no samples, or none of a row outside its dead zone;
  ///         or if `filter` does not fit the recording (see DecimatingLowpass).
  LinearRegression(const Problem& problem, std::span<const Dataset> datasets,
                   const std::optional<ParallelFilter>& filter = std::nullopt);
  LinearRegression(const LinearRegression&) = delete;  // rows refer to dynamics
  LinearRegression& operator=(const LinearRegression&) = delete;

  /// Returns the number of samples, over all datasets.
  Eigen::Index samples() const { return samples_; }
  /// Returns the number of samples that count in each equation row, see RowMask.
  const Eigen::VectorXd& counts() const { return counts_; }
  int row_count() const { return configured_.front()->rows.row_count(); }
  int unknowns() const { return static_cast<int>(names_.size()); }
  const std::vector<std::string>& names() const { return names_; }
  /// Returns ‖y_j‖²/N_j of each row, N_j its count; of drives ‖W_j π₀‖²/N_j.
  const Eigen::VectorXd& mean_square() const { return mean_square_; }
  /// Returns the declared σ_j of each row, and that of one sample of it, see EquationRows; empty
  /// unless the problem declares all of them.
  const Eigen::VectorXd& declared_sigma() const { return declared_sigma_; }
  const Eigen::VectorXd& sample_sigma() const { return sample_sigma_; }
  /// Returns the declared autocovariance γ_0, γ_1, … of each row's noise; empty unless the problem
  /// declares all σ and the noise of some row is coloured.
  const std::vector<Eigen::VectorXd>& declared_autocovariance() const {
    return declared_autocovariance_;
  }

  /// Returns the normal equations of the problem that Solve() solves.
  NormalEquations WeightedSums(const Eigen::Ref<const Eigen::VectorXd>& weights) const;

  /// Solves argmin_x Σ_j w_j·‖y_j − W_j π(x)‖².
  /// @param weights  w_j, one per row, positive.
  /// @throws EstimationFailure (refused) if there are fewer equations than unknowns;
  ///         (rank_deficient) if singular values of the scaled columns lie below 1e-9 of the
  ///         largest: the message names the unknowns that the data cannot tell apart.
  LeastSquaresSolution Solve(const Eigen::Ref<const Eigen::VectorXd>& weights) const;

  /// Solves argmin_x ‖y − W π(x)‖² + λ·Σ_k ‖W A e_k‖²·(x_k − centre_k)², a ridge in scaled columns.
  /// An x_k without any effect stays at its centre. `inverse` and `condition` describe the
  /// penalised problem.
  /// @throws EstimationFailure (refused) if there are fewer equations than unknowns.
  LeastSquaresSolution SolveRidge(double lambda,
                                  const Eigen::Ref<const Eigen::VectorXd>& centre) const;

  /// Solves argmin_x Σ_j w_j·‖y_j − W_j π(x)‖² + (x − centre)ᵀ P⁻¹ (x − centre),  P = root·rootᵀ.
  /// P may be singular: the solver moves x by root·z with the penalty ‖z‖². `inverse` is that of x,
  /// the posterior covariance if w_j = 1/σ_j²; `condition` is that of z.
  /// @param root  p × p.
  /// @throws EstimationFailure (rank_deficient) if the prior is lost beside the data in
  ///         double precision.
  LeastSquaresSolution SolveWithPrior(const Eigen::Ref<const Eigen::VectorXd>& weights,
                                      const Eigen::Ref<const Eigen::VectorXd>& centre,
                                      const Eigen::MatrixXd& root) const;

  /// Returns y − W·π(x), one matrix (samples × rows) per dataset, NaN in rows that do not count.
  /// Reads the data again: O(samples).
  std::vector<Eigen::MatrixXd> Residuals(const Eigen::Ref<const Eigen::VectorXd>& x) const;

  /// Hands the columns W_j·A of all data to `visit`, in the order of datasets, samples and rows, at
  /// most `block` samples at a time. Reads the data again: O(samples).
  void VisitColumns(Eigen::Index block, const std::function<void(const RowColumns&)>& visit) const;

  /// Returns ‖y_j − W_j π(x)‖² of each row. Reads the data again: O(samples).
  Eigen::VectorXd ResidualSquares(const Eigen::Ref<const Eigen::VectorXd>& x) const;

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
  /// How the unknowns enter one row: the π of its columns is pi0 + A·x.
  struct RowMap {
    Eigen::VectorXd pi0;
    Eigen::SparseMatrix<double> A;
  };
  /// The robot in one configuration, and its rows.
  struct Configured {
    /// @param used  indices of the used parameters π: in π₀ or moved by x.
    Configured(const Problem& problem, int configuration,
               const std::vector<PlacedEquation>& equations, const std::vector<int>& used);

    Dynamics dynamics;
    RowRegressor rows;
    std::vector<RowMap> maps;  ///< One per row.
  };
  /// Contribution of one dataset.
  struct Part {
    const Configured* configured;
    AlignedView view;
    Eigen::MatrixXd inputs;  ///< What drives are fed, samples × n, or nothing.
    /// Samples × rows; filtered if there is a filter. NaN in rows that do not count.
    Eigen::MatrixXd y;
    std::vector<Eigen::MatrixXd> filtered;  ///< W_j; empty without a filter.
    /// Returns `count` samples from `first` on; valid only without a filter.
    StateSamples States(Eigen::Index first, Eigen::Index count) const;
    StateSamples States() const { return States(0, view.size()); }
  };
  void AddDataset(const Problem& problem, const Dataset& dataset,
                  const std::optional<ParallelFilter>& filter);
  /// Applies the mask to a part.
  /// @param filter  that decimated it, or nullptr.
  void LeaveOut(const DecimatingLowpass* filter, Part& part);
  void SumUp();
  void CheckEnoughSamples() const;
  /// Solves argmin_z Σ_j w_j·‖y_j − W_j π(centre + root·z)‖² + ‖z‖² and returns z. Without a root
  /// it solves argmin_z Σ_j w_j·‖y_j − W_j π(centre + z)‖².
  LeastSquaresSolution SolveAbout(const Eigen::Ref<const Eigen::VectorXd>& centre,
                                  const Eigen::Ref<const Eigen::VectorXd>& weights,
                                  const Eigen::MatrixXd* root) const;
  LeastSquaresSolution SolveByQr(const Eigen::Ref<const Eigen::VectorXd>& centre,
                                 const Eigen::Ref<const Eigen::VectorXd>& weights,
                                 const Eigen::MatrixXd* root) const;

  std::vector<std::string> names_;
  bool of_base_;                         ///< The unknowns are base parameters.
  std::vector<EquationRows> equations_;  ///< In the order of rows.
  std::vector<bool> of_drives_;          ///< One per row.
  std::vector<std::unique_ptr<const Configured>> configured_;  ///< One per configuration.
  Eigen::VectorXd pi0_;                                        ///< All entries of π₀.
  Eigen::MatrixXd A_;
  std::vector<Part> parts_;
  std::vector<NormalEquations> sums_;  ///< Per row.
  Eigen::VectorXd mean_square_, declared_sigma_, sample_sigma_, counts_;
  std::vector<Eigen::VectorXd> declared_autocovariance_;
  RowMask mask_;
  Eigen::Index samples_ = 0;
};

/// Records the diagnostic `condition`, and a note `solver` if the solution needed QR.
void StateSolver(const LeastSquaresSolution& solution, Estimate& estimate);

/// Records the covariance and the diagnostics of a weighted solution. Replaces the covariance by a
/// note if the residuals are correlated in time so much that the noise variance at low frequency,
/// v_j·σ_j² in place of σ_j², would change the variance of some unknown (see ResidualStatistics).
void StateCovariance(const LinearRegression& regression, const LeastSquaresSolution& solution,
                     const Eigen::Ref<const Eigen::VectorXd>& weights,
                     const ResidualStatistics& residuals, Estimate& estimate);

}  // namespace idbench
