#include "robots/dynamics/rows.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

#include "robots/dynamics/end_effector_wrench.h"

namespace idbench {

using Source = RegressorColumn::Source;

namespace {

/// Sets samples whose measured value, in column `measured`, is NaN to 0.
void LeaveOutUnmeasured(Eigen::Index measured, Eigen::Index count, Eigen::MatrixXd& columns) {
  // One NaN makes the sum NaN: a vector operation, where a search is none.
  if (!std::isnan(columns.col(measured).head(count).sum())) return;
  for (Eigen::Index k = 0; k < count; ++k) {
    if (std::isnan(columns(k, measured))) columns.row(k).setZero();
  }
}

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
    const RowsFrom source = InfoOf(in_order[k].kind).rows;
    const bool derived = source == RowsFrom::kMappedRows || source == RowsFrom::kDriveRows;
    if (derived && k > 0 && in_order[k] == in_order[k - 1]) {
      RepeatRows(Index(RowsOf(in_order[k], dynamics.dofs())));
    } else {
      AddRows(in_order[k], columns);
    }
    if (!derived_) kernel_rows_ = rows_.size();
  }
  PrepareSingle(columns);
}

void RowRegressor::AddRows(const PlacedEquation& equation, const std::vector<int>& columns) {
  const ParameterLayout& layout = dynamics_.layout();
  switch (InfoOf(equation.kind).rows) {
    case RowsFrom::kTorqueRows:
      for (const int joint : ChosenRows(equation, dynamics_.dofs())) AddJointRow(joint, columns);
      return;
    case RowsFrom::kWrenchRows:
      return AddCutRows(equation, 0, layout.links_size(), columns);
    case RowsFrom::kCutRows: {
      const Cut& cut = dynamics_.model_.cuts().at(Index(equation.cut));
      const int last = cut.link + dynamics_.model_.subtree_size(cut.link);
      return AddCutRows(equation, layout.Body(cut.link_beyond ? cut.link : cut.link + 1),
                        layout.Body(last), columns);
    }
    case RowsFrom::kMappedRows:
    case RowsFrom::kDriveRows:
      if (!derived_) derived_ = std::make_unique<DerivedRows>(dynamics_, columns);
      return derived_->Add(equation, rows_);
    case RowsFrom::kStateRows:
      return;
  }
}

void RowRegressor::RepeatRows(std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t from = rows_.size() - count;
    RegressorRow row = rows_[from];
    if (row.same_as < 0) row.same_as = static_cast<int>(from);
    rows_.push_back(std::move(row));
  }
}

void RowRegressor::AddJointRow(int joint, const std::vector<int>& columns) {
  const ParameterLayout& layout = dynamics_.layout();
  const int first = layout.Body(joint);
  const int size = dynamics_.links_[Index(joint)].subtree_size;
  int first_block = 0;
  for (int before = 0; before < joint; ++before) {
    first_block += kInertialCount * dynamics_.links_[Index(before)].subtree_size;
  }
  RegressorRow row{.first_block = first_block};
  row.columns.reserve(columns.size());
  row.sources.reserve(columns.size());
  for (int c = 0; c < column_count_; ++c) {
    const int k = columns[Index(c)];
    if (k >= first && k < first + kInertialCount * size) {
      row.Append(c, {Source::kBlock, Index(first_block + k - first)});
    }
    if (k < layout.inertial_size()) continue;
    const std::size_t term = Index(k - layout.inertial_size());
    if (dynamics_.terms_[term].rows != TermRows::kJoints) continue;
    const auto& shares = dynamics_.terms_[term].shares;
    const auto own = std::ranges::find(shares, joint, &Term::Share::joint);
    if (own == shares.end()) continue;
    row.Append(c, {Source::kTerm, term, static_cast<std::size_t>(own - shares.begin())});
  }
  AddKernelRow(std::move(row), joint, joint + size, first_block - first, columns);
}

void RowRegressor::AddCutRows(const PlacedEquation& equation, int first, int last,
                              const std::vector<int>& columns) {
  const KernelCut& cut = dynamics_.cuts_[Index(equation.cut + 1)];
  if (cuts_.empty() || cuts_.back().first != cut.first) cuts_.push_back(cut);
  const int body = dynamics_.layout().Body(cut.link);
  const int links = cut.link < 0 ? dynamics_.dofs() : dynamics_.model_.subtree_size(cut.link);
  const int behind = cut.link < 0 ? links : links - 1;
  for (const int row : ChosenRows(equation, dynamics_.dofs())) {
    const int first_block = static_cast<int>(cut.first) + row * kInertialCount * (behind + 1);
    const int block = first_block - body;
    RegressorRow at{.first_block = first_block};
    at.columns.reserve(columns.size());
    at.sources.reserve(columns.size());
    for (int c = 0; c < column_count_; ++c) {
      const int k = columns[Index(c)];
      if (IsTermOf(k, equation.cut, row)) {
        at.Append(c, {Source::kTerm, Index(k - dynamics_.layout().inertial_size())});
      }
      if (k >= first && k < last) at.Append(c, {Source::kBlock, Index(block + k)});
    }
    AddKernelRow(std::move(at), std::max(cut.link, 0), std::max(cut.link, 0) + links, block,
                 columns);
  }
}

bool RowRegressor::IsTermOf(int k, int cut, int row) const {
  const int index = k - dynamics_.layout().inertial_size();
  if (index < 0 || cut < 0) return false;
  const Term& term = dynamics_.terms_[Index(index)];
  return term.rows == TermRows::kCut && term.cut == cut && !term.shares.empty() &&
         term.shares[0].joint == row;
}

void RowRegressor::AddKernelRow(RegressorRow row, int first, int last, int block,
                                const std::vector<int>& columns) {
  const auto there = std::ranges::find(rows_, row.first_block, &RegressorRow::first_block);
  if (there != rows_.end()) {
    row = *there;
    row.same_as = static_cast<int>(there - rows_.begin());
    rows_.push_back(std::move(row));
    return;
  }
  const ParameterLayout& layout = dynamics_.layout();
  for (const Dynamics::Carried& body : dynamics_.carried_) {
    if (body.link < first || body.link >= last) continue;
    attached_.Add(rows_.size(), body.X, Index(block + layout.Body(body.link)),
                  layout.Body(body.body), columns, row);
  }
  rows_.push_back(std::move(row));
}

void RowRegressor::PrepareSingle(const std::vector<int>& columns) {
  const int zero = OffsetOf({Source::kTerm, dynamics_.terms_.size()});
  single_offsets_.assign(kernel_rows_ * columns.size(), zero);
  for (std::size_t r = 0; r < kernel_rows_; ++r) {
    for (std::size_t k = 0; k < rows_[r].columns.size(); ++k) {
      if (rows_[r].sources[k].source == Source::kAttached) continue;
      single_offsets_[Index(rows_[r].columns[k]) * kernel_rows_ + r] =
          OffsetOf(rows_[r].sources[k]);
    }
  }
  std::set<std::size_t> terms;
  for (std::size_t r = 0; r < kernel_rows_; ++r) {
    for (const RegressorColumn& source : rows_[r].sources) {
      if (source.source == Source::kTerm) terms.insert(source.index);
    }
  }
  terms_.assign(terms.begin(), terms.end());
}

int RowRegressor::OffsetOf(const RegressorColumn& column) const {
  if (column.source == Source::kBlock) return kLanes * static_cast<int>(column.index);
  return kLanes * static_cast<int>(dynamics_.to_kernel_.size()) +
         dynamics_.shares_before_[column.index] + static_cast<int>(column.share);
}

KernelTargets RowRegressor::MakeTargets() const {
  KernelTargets targets{Eigen::VectorXd(kSamplesAtOnce), {}, {}};
  targets.to.assign(PackCount(), targets.unused.data());
  const std::vector<std::size_t>& spare = attached_.spare();
  targets.spare.resize(kSamplesAtOnce, static_cast<Eigen::Index>(spare.size()));
  for (std::size_t k = 0; k < spare.size(); ++k) {
    targets.to[dynamics_.to_kernel_[spare[k]]] =
        targets.spare.col(static_cast<Eigen::Index>(k)).data();
  }
  return targets;
}

struct RowRegressor::Buffers {
  explicit Buffers(const RowRegressor& rows) : kernel(rows.MakeTargets()) {
    if (rows.derived_) derived = rows.derived_->MakeBuffers();
  }

  KernelTargets kernel;
  DerivedRows::Buffers derived;
};

void RowRegressor::EvaluateKernel(const StateSamples& samples, Eigen::Index first,
                                  Eigen::Index count, const std::vector<RowDestination>& rows,
                                  Dynamics::Scratch& scratch, KernelTargets& targets) const {
  for (std::size_t r = 0; r < kernel_rows_; ++r) {
    if (rows_[r].same_as >= 0) continue;
    double* to = rows[r].data;
    for (const RegressorColumn& source : rows_[r].sources) {
      if (source.source == Source::kTerm) {
        FillTerm(dynamics_.terms_[source.index], source.share, dynamics_.friction(), samples, first,
                 count, to);
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
  attached_.Fill(count, rows, targets.spare);
}

void RowRegressor::Evaluate(const StateSamples& samples, Eigen::Index first, Eigen::Index count,
                            const std::vector<RowDestination>& rows, Dynamics::Scratch& scratch,
                            Buffers& buffers) const {
  EvaluateKernel(samples, first, count, rows, scratch, buffers.kernel);
  if (derived_) {
    derived_->Evaluate(rows_, samples, first, count, rows, scratch, buffers.derived);
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (rows_[r].same_as < 0) continue;
    const RowDestination& from = rows[Index(rows_[r].same_as)];
    for (Eigen::Index c = 0; c < static_cast<Eigen::Index>(rows_[r].columns.size()); ++c) {
      std::copy_n(from.data + from.stride * c, count, rows[r].data + rows[r].stride * c);
    }
  }
}

void RowRegressor::Repeat(std::size_t first, std::size_t last,
                          Eigen::Ref<Eigen::MatrixXd>& W) const {
  for (std::size_t r = first; r < last; ++r) {
    if (rows_[r].same_as >= 0) W.row(static_cast<Eigen::Index>(r)) = W.row(rows_[r].same_as);
  }
}

void RowRegressor::SingleOfKernel(const Eigen::Ref<const Eigen::VectorXd>& q,
                                  const Eigen::Ref<const Eigen::VectorXd>& qd,
                                  const Eigen::Ref<const Eigen::VectorXd>& qdd,
                                  const Eigen::Ref<const Eigen::VectorXd>& inputs,
                                  Dynamics::Scratch& scratch,
                                  Eigen::Ref<Eigen::MatrixXd>& W) const {
  dynamics_.kernel_->regressor(dynamics_.View(), dynamics_.PackOf(q, qd, qdd, scratch), Cuts(),
                               scratch.kernel_.data(), scratch.to_blocks_.data(), 0);
  for (const std::size_t k : terms_) {
    const Term& term = dynamics_.terms_[k];
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
  if (attached_.empty()) return;
  attached_.Fill(scratch.blocks_.data(), rows_, W);
  Repeat(0, kernel_rows_, W);
}

void RowRegressor::Single(const Eigen::Ref<const Eigen::VectorXd>& q,
                          const Eigen::Ref<const Eigen::VectorXd>& qd,
                          const Eigen::Ref<const Eigen::VectorXd>& qdd, Dynamics::Scratch& scratch,
                          Eigen::Ref<Eigen::MatrixXd> W,
                          const Eigen::Ref<const Eigen::VectorXd>& inputs) const {
  assert(W.rows() == row_count() && W.cols() == column_count());
  if (kernel_rows_ > 0) SingleOfKernel(q, qd, qdd, inputs, scratch, W);
  if (!derived_) return;
  derived_->Single(rows_, q, qd, qdd, inputs, scratch, W);
  Repeat(kernel_rows_, rows_.size(), W);
}

void RowRegressor::Dense(const StateSamples& samples, Dynamics::Scratch& scratch,
                         std::vector<Eigen::MatrixXd>& W) const {
  const Eigen::Index padded = (samples.size() + kLanes - 1) / kLanes * kLanes;
  W.resize(rows_.size());
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    W[r].resize(padded, static_cast<Eigen::Index>(rows_[r].columns.size()));
  }
  Buffers buffers(*this);
  std::vector<RowDestination> to(rows_.size());
  for (Eigen::Index first = 0; first < samples.size(); first += kSamplesAtOnce) {
    for (std::size_t r = 0; r < rows_.size(); ++r) to[r] = {W[r].data() + first, padded};
    Evaluate(samples, first, std::min(kSamplesAtOnce, samples.size() - first), to, scratch,
             buffers);
  }
  for (Eigen::MatrixXd& rows : W) rows.conservativeResize(samples.size(), Eigen::NoChange);
}

void RowRegressor::Gram(const StateSamples& samples, const Eigen::Ref<const Eigen::MatrixXd>& y,
                        Dynamics::Scratch& scratch, std::vector<Eigen::MatrixXd>& grams) const {
  assert(y.rows() == samples.size() && y.cols() == row_count());
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  std::vector<RowMajor> sums(rows_.size());
  std::vector<Eigen::MatrixXd> columns(rows_.size());
  std::vector<RowDestination> to;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    // The row's columns, y, and zeros up to a whole tile.
    const auto count = static_cast<Eigen::Index>(rows_[r].columns.size()) + 1;
    const Eigen::Index padded = (count + kGramTile - 1) / kGramTile * kGramTile;
    sums[r] = RowMajor::Zero(padded, padded);
    columns[r] = Eigen::MatrixXd::Zero(kSamplesAtOnce, padded);
    to.push_back({columns[r].data(), kSamplesAtOnce});
  }
  Buffers buffers(*this);
  for (Eigen::Index first = 0; first < samples.size(); first += kSamplesAtOnce) {
    const Eigen::Index count = std::min(kSamplesAtOnce, samples.size() - first);
    const Eigen::Index packs = (count + kLanes - 1) / kLanes;
    Evaluate(samples, first, count, to, scratch, buffers);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const auto measured = static_cast<Eigen::Index>(rows_[r].columns.size());
      columns[r].col(measured).head(count) =
          y.col(static_cast<Eigen::Index>(r)).segment(first, count);
      columns[r].middleRows(count, packs * kLanes - count).setZero();
      LeaveOutUnmeasured(measured, count, columns[r]);
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
