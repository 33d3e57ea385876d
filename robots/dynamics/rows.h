#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "robots/dynamics/dynamics.h"
#include "robots/dynamics/equations.h"

namespace idbench {

/// Selected columns of the regressor, one equation row at a time, in the order of PlacedEquation.
/// An equation that is there more than once has its rows as often.
///
/// A row holds only the columns that can differ from zero: parameters of the links that its joint
/// carries and of the joint itself, of a cut those beyond it; of mapped torques all of these.
/// Bodies count that are attached in the configuration of the Dynamics: with Y the columns of the
/// link and X as in Dynamics, theirs are Y·X. Evaluates eight samples at a time; the stacked
/// regressor exists only if the caller asks for it. Rows of mapped torques are NaN where there is
/// no map. Equations of a state have no rows.
/// Rows of drives have a column for each gain, which holds the samples' inputs.
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
  /// @param inputs  n, of drives; empty without.
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

  /// Computes Gram matrices, one per row: with w the row's columns and y its measured value,
  ///     grams[row] = Σ_samples (w, y)ᵀ (w, y),  (c + 1) × (c + 1), symmetric.
  /// Re-weighting rows is then Σ weight·gram, without another pass over the samples.
  /// @param y  N × row_count(), measured.
  /// @param[out] grams  overwritten.
  void Gram(const StateSamples& samples, const Eigen::Ref<const Eigen::MatrixXd>& y,
            Dynamics::Scratch& scratch, std::vector<Eigen::MatrixXd>& grams) const;

 private:
  /// What a column of a row is made of.
  enum class Source : std::uint8_t {
    kBlock,     ///< An entry of the regressor.
    kTerm,      ///< An entry of a term's column.
    kAttached,  ///< Entries of the regressor, see Attached.
  };
  struct Column {
    Source source;
    std::size_t index = 0;  ///< Of a pack within Dynamics::Scratch::blocks, or of a term.
    std::size_t share = 0;
  };
  struct Row {
    std::vector<int> columns;
    std::vector<Column> sources;
    int same_as = -1;  ///< An earlier row with the same columns, whose numbers it repeats.
  };
  /// Columns that an attached body has in one row: those of its link, turned by X.
  struct Attached {
    std::size_t row;
    std::size_t first_block;  ///< The link's first pack in that row.
    const Eigen::Matrix<double, kInertialCount, kInertialCount>* X;
    /// Positions within the row's columns, and parameters of the body.
    std::vector<std::pair<int, int>> columns;
    /// Where Evaluate() finds each pack of the link: position within the row's columns, or spare
    /// pack −1 − position.
    std::array<int, kInertialCount> from;
  };
  /// Rows of an equation that joint torques are mapped to.
  struct Mapped {
    Equation equation;
    std::size_t first_row;
    std::size_t count;
  };
  /// Destination of a row: column c of sample k goes to data[stride·c + k].
  struct Destination {
    double* data;
    Eigen::Index stride;
  };
  struct BlockTargets;

  static std::size_t Index(int i) { return static_cast<std::size_t>(i); }
  KernelCuts Cuts() const { return {cuts_.data(), static_cast<int>(cuts_.size())}; }
  /// Writes share `share` of a term's column for samples first … first + count − 1.
  void FillTerm(const Column& column, const StateSamples& samples, Eigen::Index first,
                Eigen::Index count, double* to) const;
  void AddJointRow(int joint, int first_block, const std::vector<int>& columns);
  /// Adds to the last row the columns of bodies that are attached to links first … last − 1.
  /// @param block  pack of the row that is entry 0 of π, were all links there.
  void AddAttached(int first, int last, int block, const std::vector<int>& columns);
  /// Computes the rows of drives; the torque rows' columns stand in `targets`.
  void EvaluateDrives(const StateSamples& samples, Eigen::Index first, Eigen::Index count,
                      const std::vector<Destination>& rows, const BlockTargets& targets) const;
  /// Returns where Evaluate() finds a pack, see Attached::from; makes it a spare one if need be.
  int PlaceOf(const Row& row, std::size_t block);
  /// Adds the rows of a cut of Dynamics: columns first … last − 1 of π, bodies that are attached to
  /// what the cut's link carries, and offsets of its sensor.
  /// @param index  into RobotModel::cuts(); −1 for the base.
  void AddCutRows(const KernelCut& cut, int index, int first, int last,
                  const std::vector<int>& columns);
  /// Whether parameter k is the offset of that row of a cut.
  bool IsOffset(int k, int cut, int row) const;
  void AddMappedRows(Equation equation, const std::vector<int>& columns);
  void AddDriveRows(const std::vector<int>& columns);
  /// Makes torque_rows_, unless they are there.
  void MakeTorqueRows(const std::vector<int>& columns);
  void AddRows(const PlacedEquation& equation, const std::vector<int>& columns);
  /// Adds the last rows, which are those of `equation`, once more.
  void RepeatRows(Equation equation);
  /// Writes `count` samples from `first` on, at most kSamplesAtOnce. Writes whole packs: entries
  /// beyond the last sample are undefined.
  void Evaluate(const StateSamples& samples, Eigen::Index first, Eigen::Index count,
                const std::vector<Destination>& rows, Dynamics::Scratch& scratch,
                BlockTargets& targets) const;

  /// As Evaluate(), for mapped rows; the torque rows' columns stand in `targets`.
  void EvaluateMapped(const Mapped& mapped, const StateSamples& samples, Eigen::Index first,
                      Eigen::Index count, const std::vector<Destination>& rows,
                      Dynamics::Scratch& scratch, const BlockTargets& targets) const;

  /// Sets the columns of attached bodies in samples that the kernel has written.
  void FillAttached(Eigen::Index count, const std::vector<Destination>& rows,
                    const BlockTargets& targets) const;
  /// As FillAttached(), for Single().
  void FillAttached(const Dynamics::Scratch& scratch, Eigen::Ref<Eigen::MatrixXd>& W) const;

  /// Returns the offset at which Single() finds an entry in Dynamics::Scratch::blocks.
  int OffsetOf(const Column& column) const;

  const Dynamics& dynamics_;
  std::vector<Row> rows_;
  std::vector<int> single_offsets_;  ///< For all entries of Single()'s W, column by column.
  std::vector<std::size_t> terms_;   ///< Those that have a column.
  std::vector<Attached> attached_;
  std::vector<std::size_t> spare_;  ///< Packs that only attached bodies' columns are made of.
  int column_count_;
  std::vector<KernelCut> cuts_;  ///< Those that have rows.
  std::size_t kernel_rows_ = 0;  ///< Those of joint torques and of cuts; they stand first.
  /// Torque rows from which mapped ones and those of drives are computed; nullptr without these.
  std::unique_ptr<const RowRegressor> torque_rows_;
  std::vector<Mapped> mapped_;
  std::vector<std::size_t> drives_;  ///< First rows of drives.
};

}  // namespace idbench
