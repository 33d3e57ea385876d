#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "robots/dynamics/dynamics.h"

namespace idbench {

/// What a sample's equations are about.
enum class Equation {
  kTorque,  ///< n rows: the torque of each joint.
  kWrench,  ///< 6 rows: force and moment of the ground on the base.
  /// 6 rows: what stands for the joint torques at the end effector, see EndEffectorWrench.
  kEndEffector,
  kPosition,  ///< n rows, of unknowns that are joint states: see JointStateParametrisation().
  kVelocity,  ///< Likewise.
};

/// The equations whose rows at any states tell the same parameters apart: for the wrench at the end
/// effector, which singular configurations do not have, the joint torques; these too if there is no
/// equation of parameters. In the order of rows.
std::vector<Equation> EverywhereDefined(const std::vector<Equation>& equations);

/// Chosen columns of the regressor, equation row by equation row: the rows of the joint torques,
/// then those of the base wrench, then those of the wrench at the end effector, as far as
/// `equations` asks for them.
///
/// A row holds only the columns that can differ from zero in it: parameters of the links that its
/// joint carries, and of the joint itself; at the end effector all of these. Samples are evaluated
/// eight at a time; the stacked regressor exists only where the caller asks for it. Rows at the end
/// effector are NaN where EndEffectorWrench has none. Joint positions and velocities have no rows.
class RowRegressor {
 public:
  /// @param dynamics  must outlive this object.
  /// @param columns  indices into π, strictly increasing.
  /// @throws std::invalid_argument for columns that are not.
  RowRegressor(const Dynamics& dynamics, const std::vector<Equation>& equations,
               const std::vector<int>& columns);

  int row_count() const { return static_cast<int>(rows_.size()); }
  int column_count() const { return column_count_; }
  /// Positions in `columns` of what stands in row `row`, increasing.
  const std::vector<int>& ColumnsOf(int row) const { return rows_[Index(row)].columns; }

  /// All rows of one sample, the bits of Dense(), as an online filter wants them: measured =
  /// W·π(columns). Allocates nothing.
  ///
  /// @param q  joint positions [rad or m], n. Likewise qd and qdd.
  /// @param[out] W row_count() × column_count(), overwritten, zeros included.
  void Single(const Eigen::Ref<const Eigen::VectorXd>& q,
              const Eigen::Ref<const Eigen::VectorXd>& qd,
              const Eigen::Ref<const Eigen::VectorXd>& qdd, Dynamics::Scratch& scratch,
              Eigen::Ref<Eigen::MatrixXd> W) const;

  /// Writes row `row` of all samples. @param[out] W one N × ColumnsOf(row).size() matrix per row,
  /// resized. The slow way: it stores what Gram() consumes in cache.
  void Dense(const StateSamples& samples, Dynamics::Scratch& scratch,
             std::vector<Eigen::MatrixXd>& W) const;

  /// Gram matrices, one per row: with w the row's columns and y its measured value,
  ///   grams[row] = Σ_samples (w, y)ᵀ (w, y),  (c + 1) × (c + 1), symmetric.
  /// Re-weighting rows is then Σ weight·gram, without another pass.
  /// @param y N × row_count(), measured.
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
    int joint = -1;  ///< −1 in a wrench row.
  };
  /// Where a row goes: column c of sample k to data[stride·c + k].
  struct Destination {
    double* data;
    Eigen::Index stride;
  };
  struct BlockTargets;

  static std::size_t Index(int i) { return static_cast<std::size_t>(i); }
  void AddJointRow(int joint, int first_block, const std::vector<int>& columns);
  void AddWrenchRow(int first_block, const std::vector<int>& columns);
  void AddEndEffectorRows(const std::vector<int>& columns);
  /// Writes `count` samples from `first` on, at most kSamplesAtOnce. Whole packs are written: what
  /// stands behind the last sample is not defined.
  void Evaluate(const StateSamples& samples, Eigen::Index first, Eigen::Index count,
                const std::vector<Destination>& rows, Dynamics::Scratch& scratch,
                BlockTargets& targets) const;

  /// Likewise the rows at the end effector.
  void EvaluateEndEffector(const StateSamples& samples, Eigen::Index first, Eigen::Index count,
                           const std::vector<Destination>& rows, Dynamics::Scratch& scratch,
                           BlockTargets& targets) const;
  void SingleEndEffector(const Eigen::Ref<const Eigen::VectorXd>& q,
                         const Eigen::Ref<const Eigen::VectorXd>& qd,
                         const Eigen::Ref<const Eigen::VectorXd>& qdd, Dynamics::Scratch& scratch,
                         Eigen::Ref<Eigen::MatrixXd> W) const;

  /// Where Single() finds an entry in Dynamics::Scratch::blocks.
  int OffsetOf(int joint, const Column& column) const;

  const Dynamics& dynamics_;
  std::vector<Row> rows_;
  std::vector<int> single_offsets_;  ///< Of all entries of Single()'s W, column by column.
  int column_count_;
  bool base_rows_ = false;
  /// What the rows at the end effector are made of, and the first of them; or nothing.
  std::unique_ptr<const RowRegressor> torque_rows_;
  std::size_t first_end_effector_row_ = 0;
};

}  // namespace idbench
