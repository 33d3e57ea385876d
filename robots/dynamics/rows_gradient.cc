#include <algorithm>
#include <cassert>
#include <stdexcept>

#include "robots/dynamics/rows.h"

namespace idbench {
namespace {

using PackGradient = Eigen::Matrix<double, kLanes, Eigen::Dynamic>;

/// Adds what the columns of a term add to the gradient: each of its shares the factor G of samples
/// first … first + count − 1.
void AddTerm(const Term& term, std::size_t share, const FrictionShape& friction,
             const StateSamples& samples, const Eigen::Ref<const Eigen::VectorXd>& G,
             StateGradient& gradient) {
  if (term.shape == TermShape::kOne || term.argument == TermArgument::kInput) return;
  const auto& rates = term.Of(samples.qd, samples.qdd);
  Eigen::MatrixXd& to = term.Of(gradient.qd, gradient.qdd);
  const double factor = term.shares[share].factor;
  for (Eigen::Index k = 0; k < G.size(); ++k) {
    const double by_v = factor * G[k] * term.Slope(term.Argument(rates.row(k)), friction);
    for (const Term::Share& each : term.shares) to(k, each.joint) += each.factor * by_v;
  }
}

}  // namespace

void RowRegressor::Gradient(const StateSamples& samples, const std::vector<Eigen::MatrixXd>& G,
                            Dynamics::Scratch& scratch, StateGradient& gradient) const {
  if (derived_) {
    throw std::invalid_argument(
        "RowRegressor::Gradient: of joint torques and wrenches alone, not of what these are mapped "
        "to");
  }
  assert(G.size() == rows_.size());
  const Eigen::Index n = dynamics_.dofs();
  for (Eigen::MatrixXd* part : {&gradient.q, &gradient.qd, &gradient.qdd}) {
    part->setZero(samples.size(), n);
  }
  // Factors of the kernel's packs in a block of samples; most packs are in no row that counts.
  Eigen::MatrixXd factors(kSamplesAtOnce, static_cast<Eigen::Index>(PackCount()));
  std::vector<const double*> from;
  for (Eigen::Index k = 0; k < factors.cols(); ++k) from.push_back(factors.col(k).data());
  const auto add_pack = [&](std::size_t block, const auto& column) {
    factors.col(static_cast<Eigen::Index>(dynamics_.to_kernel_[block])).head(column.size()) +=
        column;
  };
  PackGradient packs(kLanes, 3 * n);
  const KernelModel view = dynamics_.View();
  for (Eigen::Index first = 0; first < samples.size(); first += kSamplesAtOnce) {
    const Eigen::Index count = std::min(kSamplesAtOnce, samples.size() - first);
    factors.setZero();
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      for (std::size_t c = 0; c < rows_[r].columns.size(); ++c) {
        const auto& source = rows_[r].sources[c];
        if (source.source != RegressorColumn::Source::kBlock) continue;
        add_pack(source.index, G[r].col(static_cast<Eigen::Index>(c)).segment(first, count));
      }
    }
    attached_.AddFactors(first, count, G, add_pack);
    for (Eigen::Index at = 0; at < count; at += kLanes) {
      const KernelSamples pack = dynamics_.PackAt(samples, first + at, scratch);
      dynamics_.kernel_->gradient(view, pack, Cuts(), scratch.kernel_.data(), from.data(), at,
                                  packs.data());
      const Eigen::Index lanes = pack.count;
      gradient.q.middleRows(first + at, lanes) = packs.topLeftCorner(lanes, n);
      gradient.qd.middleRows(first + at, lanes) = packs.middleCols(n, n).topRows(lanes);
      gradient.qdd.middleRows(first + at, lanes) = packs.topRightCorner(lanes, n);
    }
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (std::size_t c = 0; c < rows_[r].columns.size(); ++c) {
      const auto& source = rows_[r].sources[c];
      if (source.source != RegressorColumn::Source::kTerm) continue;
      AddTerm(dynamics_.terms_[source.index], source.share, dynamics_.friction(), samples,
              G[r].col(static_cast<Eigen::Index>(c)), gradient);
    }
  }
}

}  // namespace idbench
