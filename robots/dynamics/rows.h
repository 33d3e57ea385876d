#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "robots/dynamics/dynamics.h"

namespace idbench {

/// Kind of equation of a sample.
enum class Equation {
  kTorque,  ///< n rows: the torque of each joint.
  kWrench,  ///< 6 rows: force and moment of the ground on the base.
  /// 6 rows: the wrench at the end effector that is equivalent to the joint torques,
  /// see EndEffectorWrench.
  kEndEffector,
  /// n rows, for unknowns that are joint states: see JointStateParametrisation().
  kPosition,
  kVelocity,  ///< n rows, as kPosition.
};

/// Returns equations that are defined at all states and tell the same parameters apart: joint
/// torques in place of the wrench at the end effector, which does not exist at singular
/// configurations, and joint torques if no equation contains π. In the order of rows.
std::vector<Equation> EverywhereDefined(const std::vector<Equation>& equations);

/// Selected columns of the regressor, one equation row at a time: the rows of the joint torques,
/// then of the base wrench, then of the wrench at the end effector, as far as `equations`
/// contains them.
///
/// A row holds only the columns that can differ from zero: parameters of the links that its joint
/// carries and of the joint itself; at the end effector all of these. Evaluates eight samples at a
/// time; the stacked regressor exists only if the caller asks for it. Rows at the end effector are
/// NaN where EndEffectorWrench has none. Joint positions and velocities have no rows.
class RowRegressor {
 public:
  /// @param dynamics  must outlive this object.
  /// @param columns   indices into π, strictly increasing.
  /// @throws std::invalid_argument if `columns` is not strictly increasing or leaves π.
  RowRegressor(const Dynamics& dynamics, const std::vector<Equation>& equations,
               const std::vector<int>& columns);

  int row_count() const { return static_cast<int>(rows_.size()); }
  int column_count() const { return column_count_; }
  /// Returns the positions within `columns` of the entries of row `row`, increasing.
  const std::vector<int>& ColumnsOf(int row) const { return rows_[Index(row)].columns; }

  /// Computes all rows of one sample, for online filters: measured = W·π(columns). The same bits as
  /// Dense(). Allocates nothing.
  ///
  /// @param q  joint positions, n [rad or m]; likewise qd and qdd.
  /// @param[out] W  row_count() × column_count(), overwritten, zeros included.
  void Single(const Eigen::Ref<const Eigen::VectorXd>& q,
              const Eigen::Ref<const Eigen::VectorXd>& qd,
              const Eigen::Ref<const Eigen::VectorXd>& qdd, Dynamics::Scratch& scratch,
              Eigen::Ref<Eigen::MatrixXd> W) const;

  /// Computes each row of all samples. Slower than Gram(), because it stores what Gram() uses
  /// within the cache.
  /// @param[out] W  one N × ColumnsOf(row).size() matrix per row, resized.
  void Dense(const StateSamples& samples, Dynamics::Scratch& scratch,
             std::vector<Eigen::MatrixXd>& W) const;

  /// Computes Gram matrices, one per row: with w the row's columns and y its measured value,
  ///     grams[row] = Σ_samples (w, y)ᵀ (w, y),  (c + 1) × (c + 1), symmetric.
  /// Re-weighting rows is then Σ weight·gram, without another pass over the samples.
  /// @param y  N × row_count(), measured.
  /// @param[out] grams  overwritten.
  void Gram(const StateSamples& samples, const Eigen::Ref<const Eigen::MatrixXd>& y,
            Dynamics::Scratch& scratch, std::vector<Eigen::MatrixXd>& grams) const;

 private:
  struct Column {
    enum class Source { kBlock, kVelocity, kCoulomb, kOne, kAcceleration };
    Source source;
    std::size_t block;  ///< Pack within Dynamics::Scratch::blocks.
  };
  struct Row {
    std::vector<int> columns;
    std::vector<Column> sources;
    int joint = -1;  ///< −1 for a wrench row.
  };
  /// Destination of a row: column c of sample k goes to data[stride·c + k].
  struct Destination {
    double* data;
    Eigen::Index stride;
  };
  struct BlockTargets;

  static std::size_t Index(int i) { return static_cast<std::size_t>(i); }
  void AddJointRow(int joint, int first_block, const std::vector<int>& columns);
  void AddWrenchRow(int first_block, const std::vector<int>& columns);
  void AddEndEffectorRows(const std::vector<int>& columns);
  /// Writes `count` samples from `first` on, at most kSamplesAtOnce. Writes whole packs: entries
  /// beyond the last sample are undefined.
  void Evaluate(const StateSamples& samples, Eigen::Index first, Eigen::Index count,
                const std::vector<Destination>& rows, Dynamics::Scratch& scratch,
                BlockTargets& targets) const;

  /// As Evaluate(), for the rows at the end effector.
  void EvaluateEndEffector(const StateSamples& samples, Eigen::Index first, Eigen::Index count,
                           const std::vector<Destination>& rows, Dynamics::Scratch& scratch,
                           BlockTargets& targets) const;
  void SingleEndEffector(const Eigen::Ref<const Eigen::VectorXd>& q,
                         const Eigen::Ref<const Eigen::VectorXd>& qd,
                         const Eigen::Ref<const Eigen::VectorXd>& qdd, Dynamics::Scratch& scratch,
                         Eigen::Ref<Eigen::MatrixXd> W) const;

  /// Returns the offset at which Single() finds an entry in Dynamics::Scratch::blocks.
  int OffsetOf(int joint, const Column& column) const;

  const Dynamics& dynamics_;
  std::vector<Row> rows_;
  std::vector<int> single_offsets_;  ///< For all entries of Single()'s W, column by column.
  int column_count_;
  bool base_rows_ = false;
  /// Torque rows from which the rows at the end effector are computed, and the first of the latter;
  /// nullptr without such rows.
  std::unique_ptr<const RowRegressor> torque_rows_;
  std::size_t first_end_effector_row_ = 0;
};

}  // namespace idbench
