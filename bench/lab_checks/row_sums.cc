#include "bench/lab_checks/row_sums.h"

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>
#include <utility>

namespace idbench {
namespace {

/// What is added to the unit diagonal of scaled normal equations.
constexpr double kRidge = 1e-8;

Eigen::Index RowIx(std::size_t i) { return static_cast<Eigen::Index>(i); }

/// β by least squares over all rows, each with its weight.
Eigen::VectorXd SolveRows(const std::vector<RowSums>& rows,
                          const std::vector<std::vector<int>>& columns, const GaussianPrior& prior,
                          const Eigen::VectorXd& weights) {
  Eigen::MatrixXd H = prior.information;
  Eigen::VectorXd b = prior.information * prior.mean;
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const double weight = kIndependentPart * weights[RowIx(j)];
    for (Eigen::Index k = 0; k < std::ssize(columns[j]); ++k) {
      const int to = columns[j][static_cast<std::size_t>(k)];
      b[to] += weight * rows[j].Wty[k];
      for (Eigen::Index i = 0; i < std::ssize(columns[j]); ++i) {
        H(columns[j][static_cast<std::size_t>(i)], to) += weight * rows[j].WtW(i, k);
      }
    }
  }
  return SolveScaled(H, b);
}

Eigen::VectorXd Part(const Eigen::VectorXd& beta, const std::vector<int>& of) { return beta(of); }

/// Weights 1/σ² that residuals of all samples give, β with them, and least mean squares · count.
struct WeighedRows {
  Eigen::VectorXd weights, beta, least;
};

WeighedRows Weigh(const std::vector<RowSums>& all, const std::vector<std::vector<int>>& columns,
                  const GaussianPrior& prior) {
  const Eigen::Index n = std::ssize(all);
  Eigen::VectorXd weights(n), least(n);
  for (Eigen::Index j = 0; j < n; ++j) {
    const RowSums& row = all[static_cast<std::size_t>(j)];
    least[j] = kLeastRowSigma * kLeastRowSigma * std::max(row.yty, 1e-300);
    weights[j] = row.count / std::max(row.yty, 1e-300);
  }
  for (int k = 0; k < kRowReweightings; ++k) {
    const Eigen::VectorXd beta = SolveRows(all, columns, prior, weights);
    for (Eigen::Index j = 0; j < n; ++j) {
      const auto at = static_cast<std::size_t>(j);
      weights[j] = all[at].count / std::max(least[j], all[at].Squares(Part(beta, columns[at])));
    }
  }
  Eigen::VectorXd beta = SolveRows(all, columns, prior, weights);
  return {std::move(weights), std::move(beta), std::move(least)};
}

}  // namespace

Eigen::MatrixXd SolveScaled(const Eigen::MatrixXd& H, const Eigen::MatrixXd& b) {
  Eigen::VectorXd scale = H.diagonal().cwiseMax(0.0).cwiseSqrt();
  for (double& each : scale) each = each > 0.0 ? 1.0 / each : 1.0;
  Eigen::MatrixXd A = scale.asDiagonal() * H * scale.asDiagonal();
  A.diagonal().array() += kRidge;
  const Eigen::MatrixXd scaled = scale.asDiagonal() * b;
  const Eigen::LLT<Eigen::MatrixXd> llt(A);  // in blocks, unlike LDLT
  if (llt.info() == Eigen::Success) return scale.asDiagonal() * llt.solve(scaled);
  return scale.asDiagonal() * A.ldlt().solve(scaled);
}

Eigen::VectorXd RowDeviations(const std::vector<RowSums>& all,
                              const std::vector<std::vector<int>>& columns,
                              const GaussianPrior& prior) {
  const WeighedRows weighed = Weigh(all, columns, prior);
  Eigen::VectorXd rms(weighed.weights.size());
  for (std::size_t j = 0; j < all.size(); ++j) {
    const double left =
        std::max(all[j].Squares(Part(weighed.beta, columns[j])), weighed.least[RowIx(j)]);
    rms[RowIx(j)] = std::sqrt(left / std::max(all[j].count, 1.0));
  }
  return rms;
}

RowFits FitRows(const std::vector<std::vector<RowSums>>& blocks,
                const std::vector<std::vector<int>>& columns, const GaussianPrior& prior) {
  std::vector<RowSums> all = blocks.front();
  for (std::size_t b = 1; b < blocks.size(); ++b) {
    for (std::size_t j = 0; j < all.size(); ++j) all[j].Add(blocks[b][j], 1.0);
  }
  const WeighedRows weighed = Weigh(all, columns, prior);
  const Eigen::VectorXd &weights = weighed.weights, &least = weighed.least;
  const Eigen::Index n = weights.size();
  RowFits score;
  score.weights = weights;
  score.beta = weighed.beta;
  score.held_out.setConstant(std::ssize(blocks), n, std::numeric_limits<double>::quiet_NaN());
  score.dissipated.setZero(std::ssize(blocks), n);
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(n);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    std::vector<RowSums> others = all;
    for (std::size_t j = 0; j < others.size(); ++j) others[j].Add(blocks[b][j], -1.0);
    const Eigen::VectorXd beta = SolveRows(others, columns, prior, weights);
    score.without.push_back(beta);
    for (std::size_t j = 0; j < others.size(); ++j) {
      const RowSums& row = blocks[b][j];
      if (row.count < 1.0) continue;
      const double left = std::max(row.Squares(Part(beta, columns[j])),
                                   row.count * least[RowIx(j)] / std::max(all[j].count, 1.0));
      squares[RowIx(j)] += left;
      score.dissipated(RowIx(b), RowIx(j)) = row.power.dot(Part(beta, columns[j])) / row.count;
      score.held_out(RowIx(b), RowIx(j)) = left / row.count;
    }
  }
  score.rms.resize(n);
  score.relative.resize(n);
  score.samples.resize(n);
  for (std::size_t j = 0; j < all.size(); ++j) {
    score.samples[RowIx(j)] = all[j].count;
    score.rms[RowIx(j)] = std::sqrt(squares[RowIx(j)] / std::max(all[j].count, 1.0));
    score.relative[RowIx(j)] = std::sqrt(squares[RowIx(j)] / std::max(all[j].yty, 1e-300));
  }
  return score;
}

}  // namespace idbench
