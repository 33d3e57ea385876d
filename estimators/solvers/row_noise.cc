#include "estimators/solvers/row_noise.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace idbench {
namespace {

/// Most blocks into which the past is divided.
constexpr Eigen::Index kBlocks = 64;

/// Σ γ_k/σ² over the lags `from` … `from` + count − 1, over count.
double MeanWeight(const Eigen::VectorXd& rho, double ratio, Eigen::Index from, Eigen::Index count) {
  const Eigen::Index end = std::min(from + count, rho.size());
  if (from >= end) return 0.0;
  return ratio * rho.segment(from, end - from).sum() / static_cast<double>(count);
}

}  // namespace

RowNoise::RowNoise(const Problem& problem, Eigen::Index unknowns)
    : variance_(problem.row_count()), sample_variance_(problem.row_count()) {
  Eigen::Index longest = 1, row = 0;
  for (const EquationRows& rows : problem.rows) {
    const Eigen::Index count = rows.count(problem.model);
    assert(rows.sigma.size() == count);
    variance_.segment(row, count) = rows.sigma.array().square();
    sample_variance_.segment(row, count) = rows.of_sample().array().square();
    longest = std::max(longest, rows.autocorrelation.size());
    row += count;
  }
  if (longest == 1) return;
  // Behind the blocks that are full stands the newest, which holds less.
  block_ = (longest - 2) / kBlocks + 1;
  const Eigen::Index blocks = (longest - 2) / block_ + 2;
  for (const EquationRows& rows : problem.rows) {
    for (Eigen::Index k = 0; k < rows.count(problem.model); ++k) {
      const auto at = static_cast<Eigen::Index>(rows_.size());
      const double ratio = sample_variance_[at] / variance_[at];
      Row made{Eigen::MatrixXd::Zero(unknowns, blocks), Eigen::MatrixXd::Zero(blocks, block_)};
      for (Eigen::Index filled = 0; filled < block_; ++filled) {
        if (filled > 0)
          made.weights(0, filled) = MeanWeight(rows.autocorrelation, ratio, 1, filled);
        for (Eigen::Index age = 1; age < blocks; ++age) {
          made.weights(age, filled) =
              MeanWeight(rows.autocorrelation, ratio, 1 + filled + (age - 1) * block_, block_);
        }
      }
      rows_.push_back(std::move(made));
    }
  }
}

void RowNoise::Past(Eigen::Index row, Eigen::VectorXd& z) const {
  const auto& [sums, weights] = rows_[static_cast<std::size_t>(row)];
  const Eigen::Index blocks = sums.cols();
  z = weights(0, filled_) * sums.col(newest_);
  for (Eigen::Index age = 1; age < blocks; ++age) {
    const double weight = weights(age, filled_);
    if (weight != 0.0) z += weight * sums.col((newest_ + blocks - age) % blocks);
  }
}

void RowNoise::Forget(double kept) {
  for (Row& row : rows_) row.sums *= kept;
}

void RowNoise::Remember(const Eigen::Ref<const Eigen::MatrixXd>& H,
                        const Eigen::Ref<const Eigen::VectorXd>& residual) {
  if (is_white()) return;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    if (filled_ == 0) rows_[k].sums.col(newest_).setZero();
    if (std::isfinite(residual[row])) rows_[k].sums.col(newest_) += H.row(row).transpose();
  }
  if (++filled_ < block_) return;
  filled_ = 0;
  newest_ = (newest_ + 1) % rows_.front().sums.cols();
  for (Row& row : rows_) row.sums.col(newest_).setZero();
}

}  // namespace idbench
