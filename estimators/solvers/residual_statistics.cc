#include "estimators/solvers/residual_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "estimators/interface/estimate.h"

namespace idbench {
namespace {

constexpr Eigen::Index kLags = 10;
/// How far v may be from 1.
constexpr double kAccepted = 0.5;
/// Standard deviation of v times √samples for white noise, 2·√Σ (1 − k/11)²; 2.5 of them pass.
constexpr double kChance = 2.5 * 3.57;

/// Σ_i e_i·e_{i+lag}, not across datasets.
double LaggedProduct(const std::vector<Eigen::MatrixXd>& residuals, Eigen::Index row,
                     Eigen::Index lag) {
  double sum = 0.0;
  for (const Eigen::MatrixXd& part : residuals) {
    const Eigen::Index pairs = std::max<Eigen::Index>(0, part.rows() - lag);
    sum += part.col(row).head(pairs).dot(part.col(row).tail(pairs));
  }
  return sum;
}

/// Returns the number of samples of each row, and makes those that are left out 0.
Eigen::VectorXd CountAndFillGaps(Eigen::MatrixXd& residuals) {
  Eigen::VectorXd counts =
      Eigen::VectorXd::Constant(residuals.cols(), static_cast<double>(residuals.rows()));
  // One NaN makes the sum NaN: a vector operation, where a search is none.
  if (!std::isnan(residuals.sum())) return counts;
  for (Eigen::Index row = 0; row < residuals.cols(); ++row) {
    Eigen::Index gaps = 0;
    for (double& e : residuals.col(row)) {
      if (!std::isnan(e)) continue;
      e = 0.0;
      ++gaps;
    }
    counts[row] -= static_cast<double>(gaps);
  }
  return counts;
}

}  // namespace

std::vector<Autoregression> Autoregressions(const Eigen::VectorXd& gamma) {
  std::vector<Autoregression> models = {{Eigen::VectorXd(0), gamma[0]}};
  for (Eigen::Index k = 1; k < gamma.size(); ++k) {
    const auto& [a, v] = models.back();
    const double reflection = (gamma[k] - a.dot(gamma.segment(1, k - 1).reverse())) / v;
    if (!(std::abs(reflection) < 1.0)) break;
    Eigen::VectorXd next(k);
    next << a - reflection * a.reverse(), reflection;
    models.push_back({std::move(next), v * (1.0 - reflection * reflection)});
  }
  return models;
}

Eigen::VectorXd DegreesOfFreedom(const Eigen::VectorXd& counts, int unknowns) {
  const double all = counts.sum();
  // Where all rows have as many, all/N is their exact number.
  const Eigen::VectorXd freedom =
      counts.array() - static_cast<double>(unknowns) / (all / counts.array());
  if (!(freedom.minCoeff() > 0.0)) {
    Refuse(fmt::format("{} samples of {} equations leave no degree of freedom beside {} unknowns",
                       counts.maxCoeff(), counts.size(), unknowns));
  }
  return freedom;
}

void FillGaps(Eigen::MatrixXd& residuals) {
  // One NaN makes the sum NaN: a vector operation, where a search is none.
  if (!std::isnan(residuals.sum())) return;
  residuals = residuals.unaryExpr([](double e) { return std::isnan(e) ? 0.0 : e; }).eval();
}

std::vector<Eigen::MatrixXd> Filled(std::vector<Eigen::MatrixXd> residuals) {
  for (Eigen::MatrixXd& part : residuals) FillGaps(part);
  return residuals;
}

ResidualStatistics JudgeResiduals(std::vector<Eigen::MatrixXd> residuals, int unknowns) {
  const Eigen::Index rows = residuals.front().cols();
  Eigen::VectorXd counts = Eigen::VectorXd::Zero(rows);
  for (Eigen::MatrixXd& part : residuals) counts += CountAndFillGaps(part);
  const Eigen::VectorXd freedom = DegreesOfFreedom(counts, unknowns);
  ResidualStatistics statistics;
  statistics.variance.resize(rows);
  statistics.long_run_ratio = Eigen::VectorXd::Ones(rows);
  for (Eigen::Index row = 0; row < rows; ++row) {
    const double squares = LaggedProduct(residuals, row, 0);
    statistics.variance[row] = squares / freedom[row];
    for (Eigen::Index lag = 1; lag <= kLags && squares > 0.0; ++lag) {
      const double taper = 1.0 - static_cast<double>(lag) / (kLags + 1);
      statistics.long_run_ratio[row] += 2.0 * taper * LaggedProduct(residuals, row, lag) / squares;
    }
  }
  statistics.tolerance = kAccepted + kChance / std::sqrt(counts.minCoeff());
  return statistics;
}

}  // namespace idbench
