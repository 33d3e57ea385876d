#include "robots/dynamics/rows.h"

#include <algorithm>
#include <cassert>
#include <set>
#include <stdexcept>
#include <string>

#include "robots/dynamics/end_effector_wrench.h"

namespace idbench {
namespace {

/// Samples that are evaluated before their Gram matrix is taken: all rows' columns stay in the
/// second-level cache.
constexpr Eigen::Index kSamplesAtOnce = 16 * kLanes;

}  // namespace

RowRegressor::RowRegressor(const Dynamics& dynamics, const std::vector<PlacedEquation>& equations,
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
  std::vector<PlacedEquation> in_order = equations;
  std::ranges::sort(in_order);
  for (std::size_t k = 0; k < in_order.size(); ++k) {
    if (k > 0 && in_order[k] == in_order[k - 1]) {
      RepeatRows(in_order[k].kind);
    } else {
      AddRows(in_order[k], columns);
    }
    if (mapped_.empty() && drives_.empty()) kernel_rows_ = rows_.size();
  }
  const std::size_t terms = dynamics.terms_.size();
  const int zero = OffsetOf({Source::kTerm, terms});
  single_offsets_.assign(kernel_rows_ * columns.size(), zero);
  for (std::size_t r = 0; r < kernel_rows_; ++r) {
    for (std::size_t k = 0; k < rows_[r].columns.size(); ++k) {
      if (rows_[r].sources[k].source == Source::kAttached) continue;
      single_offsets_[Index(rows_[r].columns[k]) * kernel_rows_ + r] =
          OffsetOf(rows_[r].sources[k]);
    }
  }
  for (const int k : columns) {
    const int term = k - dynamics.layout().inertial_size();
    if (term >= 0) terms_.push_back(Index(term));
  }
}

void RowRegressor::AddRows(const PlacedEquation& equation, const std::vector<int>& columns) {
  const ParameterLayout& layout = dynamics_.layout();
  switch (InfoOf(equation.kind).rows) {
    case RowsFrom::kTorqueRows: {
      int block = 0;
      for (int joint = 0; joint < dynamics_.dofs(); ++joint) {
        AddJointRow(joint, block, columns);
        block += kInertialCount * dynamics_.links_[Index(joint)].subtree_size;
      }
      return;
    }
    case RowsFrom::kWrenchRows:
      return AddCutRows(dynamics_.cuts_[0], -1, 0, layout.links_size(), columns);
    case RowsFrom::kCutRows: {
      const Cut& cut = dynamics_.model_.cuts().at(Index(equation.cut));
      const int last = cut.link + dynamics_.model_.subtree_size(cut.link);
      return AddCutRows(dynamics_.cuts_[Index(equation.cut) + 1], equation.cut,
                        layout.Body(cut.link_beyond ? cut.link : cut.link + 1), layout.Body(last),
                        columns);
    }
    case RowsFrom::kMappedRows:
      return AddMappedRows(equation.kind, columns);
    case RowsFrom::kDriveRows:
      return AddDriveRows(columns);
    case RowsFrom::kStateRows:
      return;
  }
}

void RowRegressor::RepeatRows(Equation equation) {
  if (InfoOf(equation).rows == RowsFrom::kStateRows) return;
  const int count = RowsOf(equation, dynamics_.dofs());
  for (int k = 0; k < count; ++k) {
    const std::size_t from = rows_.size() - Index(count);
    Row row = rows_[from];
    if (row.same_as < 0) row.same_as = static_cast<int>(from);
    rows_.push_back(std::move(row));
  }
}

int RowRegressor::OffsetOf(const Column& column) const {
  if (column.source == Source::kBlock) return kLanes * static_cast<int>(column.index);
  return kLanes * static_cast<int>(dynamics_.to_kernel_.size()) +
         dynamics_.shares_before_[column.index] + static_cast<int>(column.share);
}

void RowRegressor::AddJointRow(int joint, int first_block, const std::vector<int>& columns) {
  const ParameterLayout& layout = dynamics_.layout();
  const int first = layout.Body(joint);
  const int last = first + kInertialCount * dynamics_.links_[Index(joint)].subtree_size;
  Row row;
  for (int c = 0; c < column_count_; ++c) {
    const int k = columns[Index(c)];
    if (k >= first && k < last) {
      row.columns.push_back(c);
      row.sources.push_back({Source::kBlock, Index(first_block + k - first)});
    }
    if (k < layout.inertial_size()) continue;
    const std::size_t term = Index(k - layout.inertial_size());
    if (dynamics_.terms_[term].rows != TermRows::kJoints) continue;
    const auto& shares = dynamics_.terms_[term].shares;
    const auto own = std::ranges::find(shares, joint, &Term::Share::joint);
    if (own == shares.end()) continue;
    row.columns.push_back(c);
    row.sources.push_back({Source::kTerm, term, static_cast<std::size_t>(own - shares.begin())});
  }
  rows_.push_back(std::move(row));
  AddAttached(joint, joint + dynamics_.links_[Index(joint)].subtree_size, first_block - first,
              columns);
}

void RowRegressor::AddAttached(int first, int last, int block, const std::vector<int>& columns) {
  Row& row = rows_.back();
  const ParameterLayout& layout = dynamics_.layout();
  for (const Dynamics::Carried& body : dynamics_.carried_) {
    if (body.link < first || body.link >= last) continue;
    const int own = layout.Body(body.body);
    const auto from = std::ranges::lower_bound(columns, own);
    const auto until = std::ranges::lower_bound(columns, own + kInertialCount);
    if (from == until) continue;
    Attached attached{rows_.size() - 1, Index(block + layout.Body(body.link)), &body.X, {}, {}};
    for (std::size_t i = 0; i < kInertialCount; ++i) {
      attached.from[i] = PlaceOf(row, attached.first_block + i);
    }
    // Behind columns of links, which keep their places, and before those of terms.
    auto at = std::ranges::lower_bound(row.columns, static_cast<int>(from - columns.begin())) -
              row.columns.begin();
    for (auto k = from; k != until; ++k, ++at) {
      row.columns.insert(row.columns.begin() + at, static_cast<int>(k - columns.begin()));
      row.sources.insert(row.sources.begin() + at, {Source::kAttached});
      attached.columns.emplace_back(static_cast<int>(at), *k - own);
    }
    attached_.push_back(std::move(attached));
  }
}

bool RowRegressor::IsOffset(int k, int cut, int row) const {
  const int term = k - dynamics_.layout().inertial_size();
  if (term < 0 || cut < 0) return false;
  const Term& offset = dynamics_.terms_[Index(term)];
  return offset.rows == TermRows::kCut && offset.cut == cut && offset.shares[0].joint == row;
}

int RowRegressor::PlaceOf(const Row& row, std::size_t block) {
  const auto column = std::ranges::find_if(row.sources, [block](const Column& source) {
    return source.source == Source::kBlock && source.index == block;
  });
  if (column != row.sources.end()) return static_cast<int>(column - row.sources.begin());
  const auto spare = std::ranges::find(spare_, block) - spare_.begin();
  if (spare == std::ssize(spare_)) spare_.push_back(block);
  return -1 - static_cast<int>(spare);
}

void RowRegressor::AddCutRows(const KernelCut& cut, int index, int first, int last,
                              const std::vector<int>& columns) {
  cuts_.push_back(cut);
  const int body = dynamics_.layout().Body(cut.link);
  const int links = cut.link < 0 ? dynamics_.dofs() : dynamics_.model_.subtree_size(cut.link);
  const int behind = cut.link < 0 ? links : links - 1;
  for (int row = 0; row < kWrenchSize; ++row) {
    const int block = static_cast<int>(cut.first) + row * kInertialCount * (behind + 1) - body;
    Row at;
    for (int c = 0; c < column_count_; ++c) {
      const int k = columns[Index(c)];
      if (IsOffset(k, index, row)) {
        at.columns.push_back(c);
        at.sources.push_back({Source::kTerm, Index(k - dynamics_.layout().inertial_size())});
      }
      if (k < first || k >= last) continue;
      at.columns.push_back(c);
      at.sources.push_back({Source::kBlock, Index(block + k)});
    }
    rows_.push_back(std::move(at));
    AddAttached(std::max(cut.link, 0), std::max(cut.link, 0) + links, block, columns);
  }
}

void RowRegressor::MakeTorqueRows(const std::vector<int>& columns) {
  if (torque_rows_) return;
  torque_rows_ = std::make_unique<RowRegressor>(
      dynamics_, std::vector<PlacedEquation>{Equation::kTorque}, columns);
}

void RowRegressor::AddDriveRows(const std::vector<int>& columns) {
  MakeTorqueRows(columns);
  drives_.push_back(rows_.size());
  const int inertial = dynamics_.layout().inertial_size();
  for (int joint = 0; joint < dynamics_.dofs(); ++joint) {
    Row row{torque_rows_->rows_[Index(joint)].columns, {}};
    row.sources.resize(row.columns.size(), {Source::kBlock});  // of torque_rows_
    for (int c = 0; c < column_count_; ++c) {
      if (columns[Index(c)] < inertial) continue;
      const std::size_t term = Index(columns[Index(c)] - inertial);
      if (dynamics_.terms_[term].rows != TermRows::kDrives) continue;
      const auto& shares = dynamics_.terms_[term].shares;
      const auto own = std::ranges::find(shares, joint, &Term::Share::joint);
      if (own == shares.end()) continue;
      // Gains and the joints' friction stand in any order.
      const auto at = std::ranges::lower_bound(row.columns, c) - row.columns.begin();
      row.columns.insert(row.columns.begin() + at, c);
      row.sources.insert(row.sources.begin() + at,
                         {Source::kTerm, term, static_cast<std::size_t>(own - shares.begin())});
    }
    rows_.push_back(std::move(row));
  }
}

void RowRegressor::AddMappedRows(Equation equation, const std::vector<int>& columns) {
  MakeTorqueRows(columns);
  std::set<int> all;
  for (const Row& row : torque_rows_->rows_) all.insert(row.columns.begin(), row.columns.end());
  const std::size_t count = Index(RowsOf(equation, dynamics_.dofs()));
  mapped_.push_back({equation, rows_.size(), count});
  rows_.resize(rows_.size() + count, Row{{all.begin(), all.end()}, {}});
}

/// Where the kernel puts its blocks: those that are columns of a row to their place, others away.
struct RowRegressor::BlockTargets {
  explicit BlockTargets(const RowRegressor& rows) : unused(kSamplesAtOnce) {
    const Dynamics& dynamics = rows.dynamics_;
    to.assign(rows.cuts_.empty() ? Index(static_cast<int>(dynamics.cuts_[0].first))
                                 : dynamics.to_kernel_.size(),
              unused.data());
    spare.resize(kSamplesAtOnce, static_cast<Eigen::Index>(rows.spare_.size()));
    for (std::size_t k = 0; k < rows.spare_.size(); ++k) {
      to[dynamics.to_kernel_[rows.spare_[k]]] = spare.col(static_cast<Eigen::Index>(k)).data();
    }
    if (!rows.torque_rows_) return;
    torque = std::make_unique<BlockTargets>(*rows.torque_rows_);
    for (const Row& row : rows.torque_rows_->rows_) {
      torque_columns.emplace_back(
          Eigen::MatrixXd::Zero(kSamplesAtOnce, static_cast<Eigen::Index>(row.columns.size())));
      torque_to.push_back({torque_columns.back().data(), kSamplesAtOnce});
    }
  }

  Eigen::VectorXd unused;
  std::vector<double*> to;
  Eigen::MatrixXd spare;  ///< See RowRegressor::spare_.
  /// Of the joint torques that are mapped.
  std::unique_ptr<BlockTargets> torque;
  std::vector<Eigen::MatrixXd> torque_columns;
  std::vector<Destination> torque_to;
};

void RowRegressor::FillTerm(const Column& column, const StateSamples& samples, Eigen::Index first,
                            Eigen::Index count, double* to) const {
  const Term& term = dynamics_.terms_[column.index];
  Eigen::Map<Eigen::VectorXd> values(to, count);
  if (term.shape == TermShape::kOne) {
    values.setConstant(term.shares[column.share].factor);
    return;
  }
  if (term.argument == TermArgument::kInput) {
    values = term.shares[column.share].factor *
             samples.inputs->col(term.input).segment(samples.first_input + first, count);
    return;
  }
  const auto& rates = term.Of(samples.qd, samples.qdd);
  // By column, as they lie in memory.
  values = term.shares[0].factor * rates.col(term.shares[0].joint).segment(first, count);
  for (std::size_t k = 1; k < term.shares.size(); ++k) {
    values += term.shares[k].factor * rates.col(term.shares[k].joint).segment(first, count);
  }
  if (term.shape != TermShape::kLinear) {
    for (double& v : values) v = term.Shape(v, dynamics_.friction());
  }
  const double factor = term.shares[column.share].factor;
  if (factor != 1.0) values *= factor;
}

void RowRegressor::Evaluate(const StateSamples& samples, Eigen::Index first, Eigen::Index count,
                            const std::vector<Destination>& rows, Dynamics::Scratch& scratch,
                            BlockTargets& targets) const {
  for (std::size_t r = 0; r < kernel_rows_; ++r) {
    if (rows_[r].same_as >= 0) continue;
    double* to = rows[r].data;
    for (const Column& source : rows_[r].sources) {
      if (source.source == Source::kTerm) {
        FillTerm(source, samples, first, count, to);
      } else if (source.source == Source::kBlock) {
        targets.to[dynamics_.to_kernel_[source.index]] = to;
      }
      to += rows[r].stride;
    }
  }
  const KernelModel view = dynamics_.View();
  for (Eigen::Index at = 0; at < count; at += kLanes) {
    dynamics_.kernel_->regressor(view, dynamics_.PackAt(samples, first + at, scratch), Cuts(),
                                 scratch.kernel_.data(), targets.to.data(), at);
  }
  FillAttached(count, rows, targets);
  if (torque_rows_) {
    torque_rows_->Evaluate(samples, first, count, targets.torque_to, scratch, *targets.torque);
  }
  for (const Mapped& mapped : mapped_) {
    EvaluateMapped(mapped, samples, first, count, rows, scratch, targets);
  }
  EvaluateDrives(samples, first, count, rows, targets);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (rows_[r].same_as < 0) continue;
    const Destination& from = rows[Index(rows_[r].same_as)];
    for (Eigen::Index c = 0; c < static_cast<Eigen::Index>(rows_[r].columns.size()); ++c) {
      std::copy_n(from.data + from.stride * c, count, rows[r].data + rows[r].stride * c);
    }
  }
}

void RowRegressor::FillAttached(Eigen::Index count, const std::vector<Destination>& rows,
                                const BlockTargets& targets) const {
  for (const Attached& attached : attached_) {
    const Destination& to = rows[attached.row];
    for (const auto& [at, parameter] : attached.columns) {
      Eigen::Map<Eigen::VectorXd> column(to.data + to.stride * at, count);
      column.setZero();
      for (int i = 0; i < kInertialCount; ++i) {
        const double factor = (*attached.X)(i, parameter);
        if (factor == 0.0) continue;
        const int from = attached.from[Index(i)];
        const double* const link =
            from >= 0 ? to.data + to.stride * from : targets.spare.col(-1 - from).data();
        column += factor * Eigen::Map<const Eigen::VectorXd>(link, count);
      }
    }
  }
}

void RowRegressor::FillAttached(const Dynamics::Scratch& scratch,
                                Eigen::Ref<Eigen::MatrixXd>& W) const {
  for (const Attached& attached : attached_) {
    const Row& row = rows_[attached.row];
    for (const auto& [at, parameter] : attached.columns) {
      double sum = 0.0;  // in the order of the other FillAttached()
      for (int i = 0; i < kInertialCount; ++i) {
        const double factor = (*attached.X)(i, parameter);
        if (factor == 0.0) continue;
        sum += factor *
               scratch.blocks_[kLanes * static_cast<Eigen::Index>(attached.first_block + Index(i))];
      }
      W(static_cast<Eigen::Index>(attached.row), row.columns[Index(at)]) = sum;
    }
  }
  if (attached_.empty()) return;
  for (std::size_t r = 0; r < kernel_rows_; ++r) {
    if (rows_[r].same_as >= 0) W.row(static_cast<Eigen::Index>(r)) = W.row(rows_[r].same_as);
  }
}

void RowRegressor::EvaluateDrives(const StateSamples& samples, Eigen::Index first,
                                  Eigen::Index count, const std::vector<Destination>& rows,
                                  const BlockTargets& targets) const {
  for (const std::size_t first_row : drives_) {
    for (std::size_t joint = 0; joint < torque_rows_->rows_.size(); ++joint) {
      const Destination& to = rows[first_row + joint];
      double* column = to.data;
      Eigen::Index torque_column = 0;
      for (const Column& source : rows_[first_row + joint].sources) {
        if (source.source == Source::kTerm) {
          FillTerm(source, samples, first, count, column);
        } else {
          std::copy_n(targets.torque_columns[joint].col(torque_column++).data(), count, column);
        }
        column += to.stride;
      }
    }
  }
}

void RowRegressor::EvaluateMapped(const Mapped& mapped, const StateSamples& samples,
                                  Eigen::Index first, Eigen::Index count,
                                  const std::vector<Destination>& rows, Dynamics::Scratch& scratch,
                                  const BlockTargets& targets) const {
  auto& [map, T] = scratch.MapTo(mapped.equation);
  const std::vector<int>& all = rows_[mapped.first_row].columns;
  for (Eigen::Index k = 0; k < count; ++k) {
    scratch.q_ = samples.q.row(first + k).transpose();
    map->At(scratch.q_, T);
    for (std::size_t r = 0; r < mapped.count; ++r) {
      const Destination& to = rows[mapped.first_row + r];
      for (std::size_t c = 0; c < all.size(); ++c) {
        to.data[to.stride * static_cast<Eigen::Index>(c) + k] = 0.0;
      }
    }
    for (std::size_t joint = 0; joint < torque_rows_->rows_.size(); ++joint) {
      const std::vector<int>& own = torque_rows_->rows_[joint].columns;
      std::size_t c = 0;  // in `all`, which holds all of `own`
      for (std::size_t i = 0; i < own.size(); ++i) {
        while (all[c] != own[i]) ++c;
        const double value = targets.torque_columns[joint](k, static_cast<Eigen::Index>(i));
        for (std::size_t r = 0; r < mapped.count; ++r) {
          const Destination& to = rows[mapped.first_row + r];
          to.data[to.stride * static_cast<Eigen::Index>(c) + k] +=
              T(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(joint)) * value;
        }
      }
    }
  }
}

void RowRegressor::Single(const Eigen::Ref<const Eigen::VectorXd>& q,
                          const Eigen::Ref<const Eigen::VectorXd>& qd,
                          const Eigen::Ref<const Eigen::VectorXd>& qdd, Dynamics::Scratch& scratch,
                          Eigen::Ref<Eigen::MatrixXd> W,
                          const Eigen::Ref<const Eigen::VectorXd>& inputs) const {
  assert(W.rows() == row_count() && W.cols() == column_count());
  if (kernel_rows_ > 0) {
    dynamics_.kernel_->regressor(dynamics_.View(), dynamics_.PackOf(q, qd, qdd, scratch), Cuts(),
                                 scratch.kernel_.data(), scratch.to_blocks_.data(), 0);
    for (const std::size_t k : terms_) {
      const Term& term = dynamics_.terms_[k];
      if (term.rows == TermRows::kDrives) continue;  // in no row of the kernel
      const double value = term.At(qd, qdd, inputs, dynamics_.friction());
      double* to = scratch.blocks_.data() + OffsetOf({Source::kTerm, k});
      for (const Term::Share& share : term.shares) *to++ = share.factor * value;
    }
    scratch.blocks_[scratch.blocks_.size() - 1] = 0.0;
    const int* offset = single_offsets_.data();
    const auto rows = static_cast<int>(kernel_rows_);
    for (int c = 0; c < column_count(); ++c) {
      for (int r = 0; r < rows; ++r) W(r, c) = scratch.blocks_[*offset++];
    }
    FillAttached(scratch, W);
  }
  if (!torque_rows_) return;
  Eigen::Map<Eigen::MatrixXd> torques(scratch.torques_.data(), dynamics_.dofs(), column_count());
  torque_rows_->Single(q, qd, qdd, scratch, torques);
  for (const auto& [equation, first, count] : mapped_) {
    auto& [map, T] = scratch.MapTo(equation);
    map->At(q, T);
    auto mapped = W.middleRows(static_cast<Eigen::Index>(first), static_cast<Eigen::Index>(count));
    mapped.setZero();
    for (Eigen::Index c = 0; c < W.cols(); ++c) {  // in the order of EvaluateMapped()
      for (Eigen::Index joint = 0; joint < torques.rows(); ++joint) {
        mapped.col(c) += torques(joint, c) * T.col(joint);
      }
    }
  }
  for (const std::size_t first : drives_) {
    W.middleRows(static_cast<Eigen::Index>(first), torques.rows()) = torques;
    for (std::size_t joint = 0; joint < Index(dynamics_.dofs()); ++joint) {
      const Row& row = rows_[first + joint];
      for (std::size_t k = 0; k < row.sources.size(); ++k) {
        if (row.sources[k].source != Source::kTerm) continue;
        const Term& term = dynamics_.terms_[row.sources[k].index];
        W(static_cast<Eigen::Index>(first + joint), row.columns[k]) =
            term.shares[row.sources[k].share].factor *
            term.At(qd, qdd, inputs, dynamics_.friction());
      }
    }
  }
  for (std::size_t r = kernel_rows_; r < rows_.size(); ++r) {
    if (rows_[r].same_as >= 0) W.row(static_cast<Eigen::Index>(r)) = W.row(rows_[r].same_as);
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
