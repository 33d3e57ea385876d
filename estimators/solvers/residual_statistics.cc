#include "estimators/solvers/residual_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

}  // namespace

double DegreesOfFreedom(Eigen::Index samples, Eigen::Index rows, int unknowns) {
  const double freedom =
      static_cast<double>(samples) - static_cast<double>(unknowns) / static_cast<double>(rows);
  if (!(freedom > 0.0)) {
    Refuse(fmt::format("{} samples of {} equations leave no degree of freedom beside {} unknowns",
                       samples, rows, unknowns));
  }
  return freedom;
}

ResidualStatistics JudgeResiduals(const std::vector<Eigen::MatrixXd>& residuals, int unknowns) {
  const Eigen::Index rows = residuals.front().cols();
  Eigen::Index samples = 0;
  for (const Eigen::MatrixXd& part : residuals) samples += part.rows();
  const double freedom = DegreesOfFreedom(samples, rows, unknowns);
  ResidualStatistics statistics;
  statistics.variance.resize(rows);
  statistics.long_run_ratio = Eigen::VectorXd::Ones(rows);
  for (Eigen::Index row = 0; row < rows; ++row) {
    const double squares = LaggedProduct(residuals, row, 0);
    statistics.variance[row] = squares / freedom;
    for (Eigen::Index lag = 1; lag <= kLags && squares > 0.0; ++lag) {
      const double taper = 1.0 - static_cast<double>(lag) / (kLags + 1);
      statistics.long_run_ratio[row] += 2.0 * taper * LaggedProduct(residuals, row, lag) / squares;
    }
  }
  statistics.tolerance = kAccepted + kChance / std::sqrt(static_cast<double>(samples));
  return statistics;
}

}  // namespace idbench
