#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "robots/dynamics/attached_columns.h"
#include "robots/dynamics/derived_rows.h"
#include "robots/dynamics/dynamics.h"
#include "robots/dynamics/equations.h"
#include "robots/dynamics/regressor_row.h"

namespace idbench {

/// Derivatives of a number in the states of N samples, N × n each.
struct StateGradient {
  Eigen::MatrixXd q, qd, qdd;
};

/// Selected columns of the regressor, one equation row at a time: those rows that count, in the
/// order of PlacedEquation. What is there more than once has its rows as often.
///
/// A row holds only the columns that can differ from zero: parameters of the links that its joint
/// carries and of the joint itself, of a cut those beyond it; of mapped torques all of these.
/// Bodies count that are attached in the configuration of the Dynamics. Evaluates eight samples at
/// a time; the stacked regressor exists only if the caller asks for it. Rows of mapped torques are
/// NaN where there is no map. Equations of a state have no rows. Rows of drives have a column for
/// each gain, rows of a cut for each entry of its sensor's calibration: they hold the samples'
/// inputs.
class RowRegressor {
 public:
  /// @param dynamics  must outlive this object.
  /// @param columns   indices into π, strictly increasing.
  /// @throws std::invalid_argument if `columns` is not strictly increasing or leaves π.
  /// @throws std::out_of_range for a cut that the model lacks.
  RowRegressor(const Dynamics& dynamics, const std::vector<PlacedEquation>& equations,
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
  /// @param inputs  see StateSamples::inputs; empty if no row holds any.
  void Single(const Eigen::Ref<const Eigen::VectorXd>& q,
              const Eigen::Ref<const Eigen::VectorXd>& qd,
              const Eigen::Ref<const Eigen::VectorXd>& qdd, Dynamics::Scratch& scratch,
              Eigen::Ref<Eigen::MatrixXd> W,
              const Eigen::Ref<const Eigen::VectorXd>& inputs = Eigen::VectorXd()) const;

  /// Computes each row of all samples. Slower than Gram(), because it stores what Gram() uses
  /// within the cache.
  /// @param[out] W  one N × ColumnsOf(row).size() matrix per row, resized.
  void Dense(const StateSamples& samples, Dynamics::Scratch& scratch,
             std::vector<Eigen::MatrixXd>& W) const;

  /// Computes the derivatives of f = Σ_rows Σ_samples Σ_columns G·W in the samples' states, W as
  /// Dense() gives it: with G = ∂J/∂W those of a criterion J. One pass backward through the
  /// recursions, whatever the number of columns; friction of width 0 and one-sided shapes have
  /// slope 0 at rest. Allocates.
  /// @param G  one N × ColumnsOf(row).size() matrix per row.
  /// @param[out] gradient  resized.
  /// @throws std::invalid_argument if a row is of mapped torques or of drives.
  void Gradient(const StateSamples& samples, const std::vector<Eigen::MatrixXd>& G,
                Dynamics::Scratch& scratch, StateGradient& gradient) const;

  /// Computes Gram matrices, one per row: with w the row's columns and y its measured value,
  ///     grams[row] = Σ_samples (w, y)ᵀ (w, y),  (c + 1) × (c + 1), symmetric.
  /// Re-weighting rows is then Σ weight·gram, without another pass over the samples.
  /// @param y  N × row_count(), measured; NaN leaves that row of the sample out.
  /// @param[out] grams  overwritten.
  void Gram(const StateSamples& samples, const Eigen::Ref<const Eigen::MatrixXd>& y,
            Dynamics::Scratch& scratch, std::vector<Eigen::MatrixXd>& grams) const;

 private:
  friend class DerivedRows;

  /// Buffers of Evaluate().
  struct Buffers;

  static std::size_t Index(int i) { return static_cast<std::size_t>(i); }
  KernelCuts Cuts() const { return {cuts_.data(), static_cast<int>(cuts_.size())}; }
  void AddRows(const PlacedEquation& equation, const std::vector<int>& columns);
  void AddJointRow(int joint, const std::vector<int>& columns);
  /// Adds rows of a cut of Dynamics: columns first … last − 1 of π, bodies that are attached to
  /// what the cut's link carries, and terms of its sensor.
  /// @param equation  whose `cut` is −1 for the base.
  void AddCutRows(const PlacedEquation& equation, int first, int last,
                  const std::vector<int>& columns);
  /// Whether parameter k is a term of that row of a cut: its offset, or of its calibration.
  bool IsTermOf(int k, int cut, int row) const;
  /// Adds a row of the kernel, and to it the columns of bodies that are attached to links first …
  /// last − 1; or one that repeats it, if it is there.
  /// @param block  pack of the row that is entry 0 of π, were all links there.
  void AddKernelRow(RegressorRow row, int first, int last, int block,
                    const std::vector<int>& columns);
  /// Adds the last `count` rows, derived ones, once more.
  void RepeatRows(std::size_t count);
  /// Sets what Single() reads.
  void PrepareSingle(const std::vector<int>& columns);

  /// Returns the number of packs of the kernel.
  std::size_t PackCount() const {
    return cuts_.empty() ? static_cast<std::size_t>(dynamics_.cuts_[0].first)
                         : dynamics_.to_kernel_.size();
  }
  KernelTargets MakeTargets() const;
  /// Writes `count` samples from `first` on, at most kSamplesAtOnce. Writes whole packs: entries
  /// beyond the last sample are undefined.
  void Evaluate(const StateSamples& samples, Eigen::Index first, Eigen::Index count,
                const std::vector<RowDestination>& rows, Dynamics::Scratch& scratch,
                Buffers& buffers) const;
  /// As Evaluate(), without derived rows and repeated ones.
  void EvaluateKernel(const StateSamples& samples, Eigen::Index first, Eigen::Index count,
                      const std::vector<RowDestination>& rows, Dynamics::Scratch& scratch,
                      KernelTargets& targets) const;
  /// As Single(), without derived rows.
  void SingleOfKernel(const Eigen::Ref<const Eigen::VectorXd>& q,
                      const Eigen::Ref<const Eigen::VectorXd>& qd,
                      const Eigen::Ref<const Eigen::VectorXd>& qdd,
                      const Eigen::Ref<const Eigen::VectorXd>& inputs, Dynamics::Scratch& scratch,
                      Eigen::Ref<Eigen::MatrixXd>& W) const;
  /// Copies rows first … last − 1 of a sample that repeat others.
  void Repeat(std::size_t first, std::size_t last, Eigen::Ref<Eigen::MatrixXd>& W) const;

  /// Returns the offset at which Single() finds an entry in Dynamics::Scratch::blocks.
  int OffsetOf(const RegressorColumn& column) const;

  const Dynamics& dynamics_;
  std::vector<RegressorRow> rows_;
  std::vector<int> single_offsets_;  ///< For all entries of Single()'s W, column by column.
  std::vector<std::size_t> terms_;   ///< Those in a row of the kernel.
  AttachedColumns attached_;
  int column_count_;
  std::vector<KernelCut> cuts_;           ///< Those that have rows.
  std::size_t kernel_rows_ = 0;           ///< Those of joint torques and of cuts; they stand first.
  std::unique_ptr<DerivedRows> derived_;  ///< nullptr without such rows.
};

}  // namespace idbench
