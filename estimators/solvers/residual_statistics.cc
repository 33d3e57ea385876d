#include "estimators/solvers/residual_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <utility>

#include "estimators/interface/estimate.h"

namespace idbench {
namespace {

constexpr Eigen::Index kLags = 10;
constexpr double kFalseAlarms = 1e-3;  ///< Of fits with white residuals.
constexpr auto kOrders = std::to_array<Eigen::Index>({1, 2, 4, 8});
/// A likelihood ratio below this many times its mean is not rare.
constexpr double kNotRare = 2.0;
constexpr double kMeansPerUnknown = 10.0;
/// Of the variance of sums over the declared one.
constexpr double kAcceptedDifference = 0.25;
constexpr double kStandardDeviations = 4.0;
constexpr double kFewestMeans = 64.0;
constexpr double kSamplesPerOrder = 4.0;

using RowParts = std::vector<Eigen::VectorXd>;  ///< One row, by dataset.

/// Σ_i e_i·e_{i+lag} for the lags 0 … `most`, not across datasets.
Eigen::VectorXd LaggedProducts(const RowParts& series, Eigen::Index most) {
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(most + 1);
  for (const Eigen::VectorXd& e : series) {
    for (Eigen::Index lag = 0; lag <= most; ++lag) {
      const Eigen::Index pairs = std::max<Eigen::Index>(0, e.size() - lag);
      sums[lag] += e.head(pairs).dot(e.tail(pairs));
    }
  }
  return sums;
}

/// Sum of each pair of neighbours.
void SumPairs(RowParts& series) {
  for (Eigen::VectorXd& e : series) {
    const Eigen::Index pairs = e.size() / 2;
    e = (e(Eigen::seqN(0, pairs, 2)) + e(Eigen::seqN(1, pairs, 2))).eval();
  }
}

/// Returns true if some order has a likelihood ratio of less probability under white noise.
/// @param sums     LaggedProducts() of the highest order at least.
/// @param freedom  samples less what a fit takes of them.
bool IsCorrelated(const Eigen::VectorXd& sums, double freedom, double probability) {
  if (!(sums[0] > 0.0)) return false;
  const std::vector<Autoregression> models = Autoregressions(sums.head(kOrders.back() + 1));
  for (const Eigen::Index order : kOrders) {
    if (order >= std::ssize(models) || freedom < kSamplesPerOrder * static_cast<double>(order))
      break;
    const auto k = static_cast<double>(order);
    const double ratio =
        (freedom - k) * std::log(models[0].v / models[static_cast<std::size_t>(order)].v);
    if (ratio < kNotRare * k) continue;
    const boost::math::chi_squared white(k);
    if (boost::math::cdf(boost::math::complement(white, ratio)) < probability) return true;
  }
  return false;
}

/// Returns true if the variances of sums of 2, 4, 8 … neighbours are not those of the
/// autocovariance `gamma`, over that of a sample.
/// @param halvings  of the number of sums.
bool DiffersFrom(const Eigen::VectorXd& gamma, RowParts series, double samples, int halvings) {
  const double of_sample = LaggedProducts(series, 0)[0] / samples;
  if (!(of_sample > 0.0)) return false;
  const Eigen::ArrayXd rho = gamma.array() / gamma[0];
  const double alike = 2.0 * rho.square().sum() - 1.0;  // of neighbouring samples
  double length = 1.0;
  for (int k = 0; k < halvings; ++k) {
    SumPairs(series);
    length *= 2.0;
    double expected = length;
    for (Eigen::Index lag = 1; lag < rho.size() && static_cast<double>(lag) < length; ++lag) {
      expected += 2.0 * (length - static_cast<double>(lag)) * rho[lag];
    }
    const double sums = samples / length;
    const double ratio = LaggedProducts(series, 0)[0] / sums / (expected * of_sample);
    const double deviation = std::sqrt(2.0 * std::max(1.0, alike / length) / sums);
    if (std::abs(ratio - 1.0) > kAcceptedDifference + kStandardDeviations * deviation) return true;
  }
  return false;
}

/// Returns true if a sample's variance is above γ_0: as slow as the noise is itself, an error that
/// is no noise shows in the size of residuals before it shows in their shape.
bool Exceeds(const Eigen::VectorXd& gamma, double squares, double samples, double freedom) {
  const double alike = 2.0 * (gamma.array() / gamma[0]).square().sum() - 1.0;
  const double deviation = std::sqrt(2.0 * alike / samples);
  return squares >
         freedom * gamma[0] * (1.0 + kAcceptedDifference + kStandardDeviations * deviation);
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
  Eigen::VectorXd freedom = counts.array() - static_cast<double>(unknowns) / (all / counts.array());
  if (!(freedom.minCoeff() > 0.0)) {
    Refuse(fmt::format("{} samples of {} equations leave no degree of freedom beside {} unknowns",
                       counts.maxCoeff(), counts.size(), unknowns));
  }
  return freedom;
}

Eigen::VectorXd ResidualStatistics::Variance() const {
  return squares.cwiseQuotient(DegreesOfFreedom(counts, unknowns));
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

ResidualStatistics JudgeResiduals(const std::vector<Eigen::MatrixXd>& residuals,
                                  const Eigen::VectorXd& counts, int unknowns,
                                  const std::vector<Eigen::VectorXd>& declared) {
  const Eigen::Index rows = counts.size();
  ResidualStatistics statistics;
  statistics.squares.resize(rows);
  statistics.counts = counts;
  statistics.unknowns = unknowns;
  statistics.long_run_ratio = Eigen::VectorXd::Ones(rows);
  // The unknowns take as much of means as of samples.
  const Eigen::VectorXd taken = counts * (unknowns / counts.sum());
  const auto halvings_of = [&](Eigen::Index row) {
    const double fewest = std::max(kFewestMeans, kMeansPerUnknown * taken[row]);
    return std::max(0, static_cast<int>(std::log2(counts[row] / fewest)));
  };
  Eigen::Index looks = 0;
  for (Eigen::Index row = 0; row < rows; ++row)
    looks += (1 + halvings_of(row)) * std::ssize(kOrders);
  const double probability = kFalseAlarms / static_cast<double>(looks);
  for (Eigen::Index row = 0; row < rows; ++row) {
    RowParts series;
    for (const Eigen::MatrixXd& part : residuals) series.emplace_back(part.col(row));
    const Eigen::VectorXd sums = LaggedProducts(series, kLags);
    statistics.squares[row] = sums[0];
    for (Eigen::Index lag = 1; lag <= kLags && sums[0] > 0.0; ++lag) {
      const double taper = 1.0 - static_cast<double>(lag) / (kLags + 1);
      statistics.long_run_ratio[row] += 2.0 * taper * sums[lag] / sums[0];
    }
    if (statistics.correlated) continue;
    if (!declared.empty()) {
      const Eigen::VectorXd& gamma = declared[static_cast<std::size_t>(row)];
      statistics.correlated = Exceeds(gamma, sums[0], counts[row], counts[row] - taken[row]) ||
                              DiffersFrom(gamma, std::move(series), counts[row], halvings_of(row));
      continue;
    }
    double samples = counts[row];
    statistics.correlated = IsCorrelated(sums, samples - taken[row], probability);
    for (int k = halvings_of(row); k > 0 && !statistics.correlated; --k) {
      SumPairs(series);
      samples /= 2.0;
      statistics.correlated =
          IsCorrelated(LaggedProducts(series, kOrders.back()), samples - taken[row], probability);
    }
  }
  return statistics;
}

}  // namespace idbench
