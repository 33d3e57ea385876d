#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "bench/lab_checks/lab_fit.h"

namespace idbench {

Eigen::VectorXd LabFit::TorqueFactors(const DataChange& change) {
  const BlockGrams& grams = GramsOf(change);
  const Eigen::Index n = rows_.joints();
  const Eigen::MatrixXd prior = parameters_.information() / (kStructure * kStructure);
  Eigen::VectorXd factors = Eigen::VectorXd::Ones(n), weights(n), sizes(n);
  const std::vector<std::vector<RowSums>> sums = grams.Sums(change);
  std::vector<RowSums> rows = sums.front();
  for (std::size_t b = 1; b < sums.size(); ++b) {
    for (std::size_t j = 0; j < rows.size(); ++j) rows[j].Add(sums[b][j], 1.0);
  }
  for (Eigen::Index j = 0; j < n; ++j) {
    const auto at = static_cast<std::size_t>(j);
    sizes[j] = std::max(rows[at].yty, 1e-300);
    weights[j] = rows[at].count / sizes[j];
  }
  for (int k = 0; k < kRowReweightings; ++k) {
    Eigen::MatrixXd H = prior, C = Eigen::MatrixXd::Zero(prior.rows(), n);
    for (Eigen::Index j = 0; j < n; ++j) {
      const RowSums& row = rows[static_cast<std::size_t>(j)];
      const std::vector<int>& to = grams.columns[static_cast<std::size_t>(j)];
      H(to, to) += weights[j] * row.WtW;
      C.col(j)(to) = weights[j] * row.Wty;
    }
    const Eigen::MatrixXd solved = SolveScaled(H, C);
    const Eigen::VectorXd unit = (weights.array() * sizes.array()).sqrt().inverse();
    const Eigen::MatrixXd left =
        Eigen::MatrixXd((weights.array() * sizes.array()).matrix().asDiagonal()) -
        C.transpose() * solved;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(unit.asDiagonal() * left *
                                                               unit.asDiagonal());
    factors = unit.asDiagonal() * eigen.eigenvectors().col(0);
    Eigen::VectorXd sorted = factors;
    std::ranges::sort(sorted, {}, [](double x) { return std::abs(x); });
    factors /= sorted[n / 2];
    const Eigen::VectorXd beta = solved * factors;
    for (Eigen::Index j = 0; j < n; ++j) {
      const RowSums& row = rows[static_cast<std::size_t>(j)];
      const Eigen::VectorXd of_row = beta(grams.columns[static_cast<std::size_t>(j)]);
      const double squares = factors[j] * factors[j] * row.yty -
                             2.0 * factors[j] * row.Wty.dot(of_row) +
                             of_row.dot(row.WtW * of_row);
      weights[j] = row.count / std::max(squares, kLeastRowSigma * kLeastRowSigma * sizes[j]);
    }
  }
  Eigen::VectorXd by_column(n);
  for (Eigen::Index j = 0; j < n; ++j) {
    by_column[change.torque_of[static_cast<std::size_t>(j)]] = factors[j];
  }
  return by_column;
}

}  // namespace idbench
