#include "robots/dynamics/rows.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <string>

namespace idbench {
namespace {

/// Samples that are evaluated before their Gram matrix is taken: all rows' columns stay in the
/// second-level cache.
constexpr Eigen::Index kSamplesAtOnce = 16 * kLanes;

}  // namespace

RowRegressor::RowRegressor(const Dynamics& dynamics, const std::vector<Equation>& equations,
                           const std::vector<int>& columns)
    : dynamics_(dynamics), column_count_(static_cast<int>(columns.size())) {
  const int last = dynamics.layout().size() - 1;
  const bool increasing =
      std::ranges::adjacent_find(columns, std::greater_equal{}) == columns.end();
  if (!increasing || (!columns.empty() && (columns.front() < 0 || columns.back() > last))) {
    throw std::invalid_argument(
        "RowRegressor: columns must be strictly increasing indices from 0 to " +
        std::to_string(last));
  }
  const auto has = [&equations](Equation equation) {
    return std::ranges::find(equations, equation) != equations.end();
  };
  int block = 0;
  for (int joint = 0; joint < dynamics.dofs(); ++joint) {
    if (has(Equation::kTorque)) AddJointRow(joint, block, columns);
    block += kInertialCount * dynamics.links_[Index(joint)].subtree_size;
  }
  base_rows_ = has(Equation::kWrench);
  for (int row = 0; row < 6 && base_rows_; ++row) {
    AddWrenchRow(block, columns);
    block += kInertialCount * (dynamics.dofs() + 1);
  }
  const int zero = OffsetOf(0, {Column::Source::kOne, 0}) + 1 + 3 * dynamics.dofs();
  single_offsets_.assign(rows_.size() * columns.size(), zero);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (std::size_t k = 0; k < rows_[r].columns.size(); ++k) {
      single_offsets_[Index(rows_[r].columns[k]) * rows_.size() + r] =
          OffsetOf(rows_[r].joint, rows_[r].sources[k]);
    }
  }
}

int RowRegressor::OffsetOf(int joint, const Column& column) const {
  const int n = dynamics_.dofs();
  const int values = kLanes * static_cast<int>(dynamics_.to_kernel_.size());
  switch (column.source) {
    case Column::Source::kBlock:
      return kLanes * static_cast<int>(column.block);
    case Column::Source::kVelocity:
      return values + 1 + joint;
    case Column::Source::kCoulomb:
      return values + 1 + n + joint;
    case Column::Source::kAcceleration:
      return values + 1 + 2 * n + joint;
    case Column::Source::kOne:
      break;
  }
  return values;
}

void RowRegressor::AddJointRow(int joint, int first_block, const std::vector<int>& columns) {
  const ParameterLayout& layout = dynamics_.layout();
  const int first = layout.Body(joint);
  const int last = first + kInertialCount * dynamics_.links_[Index(joint)].subtree_size;
  const int first_own = layout.Joint(joint, JointParameter::kViscous);
  constexpr Column::Source kOwn[] = {Column::Source::kVelocity, Column::Source::kCoulomb,
                                     Column::Source::kOne, Column::Source::kAcceleration};
  Row row{{}, {}, joint};
  for (int c = 0; c < column_count_; ++c) {
    const int k = columns[Index(c)];
    if (k >= first && k < last) {
      row.columns.push_back(c);
      row.sources.push_back({Column::Source::kBlock, Index(first_block + k - first)});
    } else if (k >= first_own && k < first_own + kJointParameterCount) {
      row.columns.push_back(c);
      row.sources.push_back({kOwn[k - first_own], 0});
    }
  }
  rows_.push_back(std::move(row));
}

void RowRegressor::AddWrenchRow(int first_block, const std::vector<int>& columns) {
  const int inertial = kInertialCount * (dynamics_.dofs() + 1);
  Row row{{}, {}, -1};
  for (int c = 0; c < column_count_; ++c) {
    if (columns[Index(c)] >= inertial) break;
    row.columns.push_back(c);
    row.sources.push_back({Column::Source::kBlock, Index(first_block + columns[Index(c)])});
  }
  rows_.push_back(std::move(row));
}

/// Where the kernel puts its blocks: those that are columns of a row to their place, others away.
struct RowRegressor::BlockTargets {
  explicit BlockTargets(const RowRegressor& rows) : unused(kSamplesAtOnce) {
    const int wrench_blocks = 6 * kInertialCount * (rows.dynamics_.dofs() + 1);
    const auto count = rows.dynamics_.torque_blocks_ + (rows.base_rows_ ? wrench_blocks : 0);
    to.assign(static_cast<std::size_t>(count), unused.data());
  }

  Eigen::VectorXd unused;
  std::vector<double*> to;
};

void RowRegressor::Evaluate(const StateSamples& samples, Eigen::Index first, Eigen::Index count,
                            const std::vector<Destination>& rows, Dynamics::Scratch& scratch,
                            BlockTargets& targets) const {
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    double* to = rows[r].data;
    for (const Column& source : rows_[r].sources) {
      Eigen::Map<Eigen::VectorXd> column(to, count);
      const int joint = rows_[r].joint;
      switch (source.source) {
        case Column::Source::kBlock:
          targets.to[dynamics_.to_kernel_[source.block]] = to;
          break;
        case Column::Source::kVelocity:
          column = samples.qd.col(joint).segment(first, count);
          break;
        case Column::Source::kCoulomb:
          column = samples.qd.col(joint).segment(first, count).unaryExpr([this](double qd) {
            return dynamics_.friction().Coulomb(qd);
          });
          break;
        case Column::Source::kOne:
          column.setOnes();
          break;
        case Column::Source::kAcceleration:
          column = samples.qdd.col(joint).segment(first, count);
          break;
      }
      to += rows[r].stride;
    }
  }
  const KernelModel view = dynamics_.View();
  for (Eigen::Index at = 0; at < count; at += kLanes) {
    dynamics_.kernel_->regressor(view, dynamics_.PackAt(samples, first + at, scratch), base_rows_,
                                 scratch.kernel.data(), targets.to.data(), at);
  }
}

void RowRegressor::Single(const Eigen::Ref<const Eigen::VectorXd>& q,
                          const Eigen::Ref<const Eigen::VectorXd>& qd,
                          const Eigen::Ref<const Eigen::VectorXd>& qdd, Dynamics::Scratch& scratch,
                          Eigen::Ref<Eigen::MatrixXd> W) const {
  assert(W.rows() == row_count() && W.cols() == column_count());
  dynamics_.kernel_->regressor(dynamics_.View(), dynamics_.PackOf(q, qd, qdd, scratch), base_rows_,
                               scratch.kernel.data(), scratch.to_blocks.data(), 0);
  const int n = dynamics_.dofs();
  double* const values = scratch.blocks.data() + OffsetOf(0, {Column::Source::kOne, 0});
  values[0] = 1.0;
  for (int joint = 0; joint < n; ++joint) {
    values[1 + joint] = qd[joint];
    values[1 + n + joint] = dynamics_.friction().Coulomb(qd[joint]);
    values[1 + 2 * n + joint] = qdd[joint];
  }
  values[1 + 3 * n] = 0.0;
  const int* offset = single_offsets_.data();
  for (int c = 0; c < column_count(); ++c) {
    for (int r = 0; r < row_count(); ++r) W(r, c) = scratch.blocks[*offset++];
  }
}

void RowRegressor::Dense(const StateSamples& samples, Dynamics::Scratch& scratch,
                         std::vector<Eigen::MatrixXd>& W) const {
  const Eigen::Index padded = (samples.size() + kLanes - 1) / kLanes * kLanes;
  W.resize(rows_.size());
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    W[r].resize(padded, static_cast<Eigen::Index>(rows_[r].columns.size()));
  }
  BlockTargets targets(*this);
  std::vector<Destination> to(rows_.size());
  for (Eigen::Index first = 0; first < samples.size(); first += kSamplesAtOnce) {
    for (std::size_t r = 0; r < rows_.size(); ++r) to[r] = {W[r].data() + first, padded};
    Evaluate(samples, first, std::min(kSamplesAtOnce, samples.size() - first), to, scratch,
             targets);
  }
  for (Eigen::MatrixXd& rows : W) rows.conservativeResize(samples.size(), Eigen::NoChange);
}

void RowRegressor::Gram(const StateSamples& samples, const Eigen::Ref<const Eigen::MatrixXd>& y,
                        Dynamics::Scratch& scratch, std::vector<Eigen::MatrixXd>& grams) const {
  assert(y.rows() == samples.size() && y.cols() == row_count());
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  std::vector<RowMajor> sums(rows_.size());
  std::vector<Eigen::MatrixXd> columns(rows_.size());
  std::vector<Destination> to;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    // The row's columns, y, and zeros up to a whole tile.
    const auto count = static_cast<Eigen::Index>(rows_[r].columns.size()) + 1;
    const Eigen::Index padded = (count + kGramTile - 1) / kGramTile * kGramTile;
    sums[r] = RowMajor::Zero(padded, padded);
    columns[r] = Eigen::MatrixXd::Zero(kSamplesAtOnce, padded);
    to.push_back({columns[r].data(), kSamplesAtOnce});
  }
  BlockTargets targets(*this);
  for (Eigen::Index first = 0; first < samples.size(); first += kSamplesAtOnce) {
    const Eigen::Index count = std::min(kSamplesAtOnce, samples.size() - first);
    const Eigen::Index packs = (count + kLanes - 1) / kLanes;
    Evaluate(samples, first, count, to, scratch, targets);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const auto measured = static_cast<Eigen::Index>(rows_[r].columns.size());
      columns[r].col(measured).head(count) =
          y.col(static_cast<Eigen::Index>(r)).segment(first, count);
      columns[r].middleRows(count, packs * kLanes - count).setZero();
      dynamics_.kernel_->gram(columns[r].data(), static_cast<int>(columns[r].cols()),
                              static_cast<int>(packs), static_cast<int>(kSamplesAtOnce / kLanes),
                              sums[r].data());
    }
  }
  grams.resize(rows_.size());
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const auto count = static_cast<Eigen::Index>(rows_[r].columns.size()) + 1;
    grams[r] = sums[r].topLeftCorner(count, count).selfadjointView<Eigen::Upper>();
  }
}

}  // namespace idbench
