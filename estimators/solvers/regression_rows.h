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
#include "estimators/solvers/parallel_filter.h"
#include "robots/dynamics/rows.h"

namespace idbench {

/// Some consecutive samples of one equation row, see RegressionRows::VisitColumns().
struct RowColumns {
  Eigen::Index dataset;  ///< Which of those for identification.
  Eigen::Index row;      ///< Equation row.
  Eigen::Index first;    ///< Index of the first sample in the dataset, as Residuals() counts them.
  Eigen::MatrixXd A;  ///< W_j·A of these samples, samples × unknowns; 0 where a row is left out.
};

/// What a regression knows of the samples of one dataset, one row each, in the order of
/// RegressionRows::Residuals(); n joints.
struct SampledStates {
  Eigen::VectorXd time_s;      ///< [s].
  Eigen::MatrixXd q, qd, qdd;  ///< As recorded, samples × n [rad or m, /s, /s²].
  Eigen::MatrixXd y;  ///< Measured side; filtered if there is a filter; NaN in rows left out.
  int configuration;  ///< Index into RobotModel::configurations().
};

/// The equation rows y = W·π(x) + e of the identification datasets, of an affine parametrisation
/// π = π₀ + A·x, in the order of a RowRegressor, over data of all configurations.
class RegressionRows {
 public:
  /// Reads the identification datasets among `datasets`, which must outlive this object.
  /// @param filter  low-pass for both sides of the equations; none if absent.
  /// @throws EstimationFailure (refused) if the parametrisation is not affine or has no unknowns;
  ///         if an equation measures joint positions or velocities; if a channel is missing, was
  ///         not sampled together with the others, has a wrong number of columns or holds a number
  ///         that is not finite; if there are no samples, or none of a row outside its dead zone;
  ///         or if `filter` does not fit the recording (see DecimatingLowpass).
  RegressionRows(const Problem& problem, std::span<const Dataset> datasets,
                 const std::optional<ParallelFilter>& filter = std::nullopt);
  RegressionRows(const RegressionRows&) = delete;  // rows refer to dynamics
  RegressionRows& operator=(const RegressionRows&) = delete;

  /// Returns the number of samples, over all datasets.
  Eigen::Index samples() const { return samples_; }
  /// Returns the number of samples that count in each equation row, see RowMask.
  const Eigen::VectorXd& counts() const { return counts_; }
  int row_count() const { return configured_.front()->rows.row_count(); }
  int unknowns() const { return static_cast<int>(names_.size()); }
  const std::vector<std::string>& names() const { return names_; }
  /// Returns the declared σ_j of each row, and that of one sample of it, see EquationRows; empty
  /// unless the problem declares all of them.
  const Eigen::VectorXd& declared_sigma() const { return declared_sigma_; }
  const Eigen::VectorXd& sample_sigma() const { return sample_sigma_; }
  /// Returns the declared autocovariance γ_0, γ_1, … of each row's noise; empty unless the problem
  /// declares all σ and the noise of some row is coloured.
  const std::vector<Eigen::VectorXd>& declared_autocovariance() const {
    return declared_autocovariance_;
  }

  /// @throws EstimationFailure (refused) if there are fewer rows that count than unknowns.
  void CheckEnoughSamples() const;

  /// Returns y − W·π(x), one matrix (samples × rows) per dataset, NaN in rows that do not count.
  /// Reads the data again: O(samples).
  std::vector<Eigen::MatrixXd> Residuals(const Eigen::Ref<const Eigen::VectorXd>& x) const;

  /// Hands the columns W_j·A of all data to `visit`, in the order of datasets, samples and rows, at
  /// most `block` samples at a time. Reads the data again: O(samples).
  void VisitColumns(Eigen::Index block, const std::function<void(const RowColumns&)>& visit) const;

  /// Returns the number of datasets.
  std::size_t dataset_count() const { return parts_.size(); }
  /// Returns the states of a dataset, numbered as RowColumns::dataset.
  SampledStates StatesOf(std::size_t dataset) const;
  /// Returns the unknowns that enter an equation row, in any configuration, increasing: those of
  /// links before a joint do not enter its torque.
  const std::vector<int>& UnknownsIn(int row) const {
    return unknowns_in_[static_cast<std::size_t>(row)];
  }
  /// Returns the joint that an equation row is about, or −1 for wrenches.
  int JointOf(int row) const { return joints_[static_cast<std::size_t>(row)]; }

  /// Returns ‖y_j − W_j π(x)‖² of each row. Reads the data again: O(samples).
  Eigen::VectorXd ResidualSquares(const Eigen::Ref<const Eigen::VectorXd>& x) const;

 protected:
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
    Eigen::MatrixXd inputs;  ///< See InputsOf().
    /// Samples × rows; filtered if there is a filter. NaN in rows that do not count.
    Eigen::MatrixXd y;
    std::vector<Eigen::MatrixXd> filtered;  ///< W_j; empty without a filter.
    Eigen::Index edge = 0, step = 1;        ///< Samples of the view that y holds.
    int configuration = 0;                  ///< Index into RobotModel::configurations().
    /// Returns `count` samples from `first` on; valid only without a filter.
    StateSamples States(Eigen::Index first, Eigen::Index count) const;
    StateSamples States() const { return States(0, view.size()); }
  };
  const std::vector<Part>& parts() const { return parts_; }
  /// Rows may be left out of some samples.
  bool has_gaps() const { return !mask_.empty(); }
  bool is_of_base() const { return of_base_; }
  bool is_of_drive(std::size_t row) const { return of_drives_[row]; }

 private:
  void AddDataset(const Problem& problem, const Dataset& dataset,
                  const std::optional<ParallelFilter>& filter);
  /// Applies the mask to a part.
  void LeaveOut(Part& part);

  std::vector<std::string> names_;
  bool of_base_;                               ///< The unknowns are base parameters.
  std::vector<EquationRows> equations_;        ///< In the order of rows.
  std::vector<bool> of_drives_;                ///< One per row.
  std::vector<int> joints_;                    ///< See JointOf().
  std::vector<std::vector<int>> unknowns_in_;  ///< One per row, see UnknownsIn().
  std::vector<std::unique_ptr<const Configured>> configured_;  ///< One per configuration.
  Eigen::VectorXd pi0_;                                        ///< All entries of π₀.
  Eigen::MatrixXd A_;
  std::vector<Part> parts_;
  Eigen::VectorXd declared_sigma_, sample_sigma_, counts_;
  std::vector<Eigen::VectorXd> declared_autocovariance_;
  RowMask mask_;
  Eigen::Index samples_ = 0;
};

/// With 0 for what does not count.
Eigen::MatrixXd OrZero(const Eigen::Ref<const Eigen::MatrixXd>& rows);

}  // namespace idbench
