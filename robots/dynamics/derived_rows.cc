#include "robots/dynamics/derived_rows.h"

#include <algorithm>
#include <set>

#include "robots/dynamics/rows.h"

namespace idbench {

using Source = RegressorColumn::Source;

DerivedRows::DerivedRows(const Dynamics& dynamics, const std::vector<int>& columns)
    : dynamics_(dynamics),
      columns_(columns),
      torque_rows_(std::make_unique<RowRegressor>(
          dynamics, std::vector<PlacedEquation>{Equation::kTorque}, columns)) {}

DerivedRows::~DerivedRows() = default;

void DerivedRows::Add(const PlacedEquation& equation, std::vector<RegressorRow>& rows) {
  const Instance instance{equation.kind, rows.size(), ChosenRows(equation, dynamics_.dofs())};
  if (InfoOf(equation.kind).rows == RowsFrom::kDriveRows) {
    AddDrives(instance, rows);
    drives_.push_back(instance);
  } else {
    AddMapped(instance, rows);
    mapped_.push_back(instance);
  }
}

void DerivedRows::AddMapped(const Instance& instance, std::vector<RegressorRow>& rows) const {
  std::set<int> all;
  for (const RegressorRow& row : torque_rows_->rows_) {
    all.insert(row.columns.begin(), row.columns.end());
  }
  rows.resize(rows.size() + instance.chosen.size(),
              RegressorRow{.columns = {all.begin(), all.end()}});
}

void DerivedRows::AddDrives(const Instance& instance, std::vector<RegressorRow>& rows) const {
  const int inertial = dynamics_.layout().inertial_size();
  for (const int joint : instance.chosen) {
    RegressorRow row{.columns = torque_rows_->rows_[static_cast<std::size_t>(joint)].columns};
    row.sources.resize(row.columns.size(), {Source::kBlock});  // of torque_rows_
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c] < inertial) continue;
      const auto term = static_cast<std::size_t>(columns_[c] - inertial);
      if (dynamics_.terms_[term].rows != TermRows::kDrives) continue;
      const auto& shares = dynamics_.terms_[term].shares;
      const auto own = std::ranges::find(shares, joint, &Term::Share::joint);
      if (own == shares.end()) continue;
      // Gains and the joints' friction stand in any order.
      row.Insert(static_cast<int>(c),
                 {Source::kTerm, term, static_cast<std::size_t>(own - shares.begin())});
    }
    rows.push_back(std::move(row));
  }
}

DerivedRows::Buffers DerivedRows::MakeBuffers() const {
  Buffers buffers{torque_rows_->MakeTargets(), {}, {}};
  for (const RegressorRow& row : torque_rows_->rows_) {
    buffers.columns.emplace_back(
        Eigen::MatrixXd::Zero(kSamplesAtOnce, static_cast<Eigen::Index>(row.columns.size())));
    buffers.to.push_back({buffers.columns.back().data(), kSamplesAtOnce});
  }
  return buffers;
}

void DerivedRows::Evaluate(const std::vector<RegressorRow>& rows, const StateSamples& samples,
                           Eigen::Index first, Eigen::Index count,
                           const std::vector<RowDestination>& to, Dynamics::Scratch& scratch,
                           Buffers& buffers) const {
  torque_rows_->EvaluateKernel(samples, first, count, buffers.to, scratch, buffers.kernel);
  for (const Instance& mapped : mapped_) {
    EvaluateMapped(mapped, rows[mapped.first_row].columns, samples, first, count, to, scratch,
                   buffers);
  }
  for (const Instance& drives : drives_) {
    std::size_t r = drives.first_row;
    for (const int joint : drives.chosen) {
      EvaluateDrive(static_cast<std::size_t>(joint), rows[r], samples, first, count, to[r],
                    buffers);
      ++r;
    }
  }
}

void DerivedRows::EvaluateDrive(std::size_t joint, const RegressorRow& row,
                                const StateSamples& samples, Eigen::Index first, Eigen::Index count,
                                const RowDestination& to, const Buffers& buffers) const {
  double* column = to.data;
  Eigen::Index torque_column = 0;
  for (const RegressorColumn& source : row.sources) {
    if (source.source == Source::kTerm) {
      FillTerm(dynamics_.terms_[source.index], source.share, dynamics_.friction(), samples, first,
               count, column);
    } else {
      std::copy_n(buffers.columns[joint].col(torque_column++).data(), count, column);
    }
    column += to.stride;
  }
}

void DerivedRows::EvaluateMapped(const Instance& mapped, const std::vector<int>& all,
                                 const StateSamples& samples, Eigen::Index first,
                                 Eigen::Index count, const std::vector<RowDestination>& to,
                                 Dynamics::Scratch& scratch, const Buffers& buffers) const {
  auto& [map, T] = scratch.MapTo(mapped.equation);
  for (Eigen::Index k = 0; k < count; ++k) {
    scratch.q_ = samples.q.row(first + k).transpose();
    map->At(scratch.q_, T);
    for (std::size_t r = 0; r < mapped.chosen.size(); ++r) {
      const RowDestination& own = to[mapped.first_row + r];
      for (std::size_t c = 0; c < all.size(); ++c) {
        own.data[own.stride * static_cast<Eigen::Index>(c) + k] = 0.0;
      }
    }
    for (std::size_t joint = 0; joint < torque_rows_->rows_.size(); ++joint) {
      const std::vector<int>& columns = torque_rows_->rows_[joint].columns;
      std::size_t c = 0;  // in `all`, which holds all of `columns`
      for (std::size_t i = 0; i < columns.size(); ++i) {
        while (all[c] != columns[i]) ++c;
        const double value = buffers.columns[joint](k, static_cast<Eigen::Index>(i));
        for (std::size_t r = 0; r < mapped.chosen.size(); ++r) {
          const RowDestination& own = to[mapped.first_row + r];
          own.data[own.stride * static_cast<Eigen::Index>(c) + k] +=
              T(mapped.chosen[r], static_cast<Eigen::Index>(joint)) * value;
        }
      }
    }
  }
}

void DerivedRows::Single(const std::vector<RegressorRow>& rows,
                         const Eigen::Ref<const Eigen::VectorXd>& q,
                         const Eigen::Ref<const Eigen::VectorXd>& qd,
                         const Eigen::Ref<const Eigen::VectorXd>& qdd,
                         const Eigen::Ref<const Eigen::VectorXd>& inputs,
                         Dynamics::Scratch& scratch, Eigen::Ref<Eigen::MatrixXd>& W) const {
  Eigen::Map<Eigen::MatrixXd> torques(scratch.torques_.data(), dynamics_.dofs(), W.cols());
  torque_rows_->Single(q, qd, qdd, scratch, torques);
  for (const auto& [equation, first, chosen] : mapped_) {
    auto& [map, T] = scratch.MapTo(equation);
    map->At(q, T);
    auto mapped = W.middleRows(static_cast<Eigen::Index>(first), std::ssize(chosen));
    mapped.setZero();
    for (Eigen::Index c = 0; c < W.cols(); ++c) {  // in the order of EvaluateMapped()
      for (Eigen::Index joint = 0; joint < torques.rows(); ++joint) {
        for (Eigen::Index r = 0; r < mapped.rows(); ++r) {
          mapped(r, c) += torques(joint, c) * T(chosen[static_cast<std::size_t>(r)], joint);
        }
      }
    }
  }
  for (const Instance& drives : drives_) {
    std::size_t r = drives.first_row;
    for (const int joint : drives.chosen) {
      W.row(static_cast<Eigen::Index>(r)) = torques.row(joint);
      for (std::size_t k = 0; k < rows[r].sources.size(); ++k) {
        const RegressorColumn& source = rows[r].sources[k];
        if (source.source != Source::kTerm) continue;
        const Term& term = dynamics_.terms_[source.index];
        W(static_cast<Eigen::Index>(r), rows[r].columns[k]) =
            term.shares[source.share].factor * term.At(qd, qdd, inputs, dynamics_.friction());
      }
      ++r;
    }
  }
}

}  // namespace idbench
