#include "bench/metrics/prior_conflict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "estimators/interface/online_estimator.h"
#include "estimators/solvers/learned_directions.h"
#include "estimators/solvers/seen_directions.h"
#include "reports/statistics/holm.h"

namespace idbench {
namespace {

/// Parts of P₀ below which P₀ − P is round-off of P.
constexpr double kSame = 1e-8;
/// Square sums above this many times their expectation are no chance of many samples.
constexpr double kMisfit = 1.5;
/// Unknowns that a note names.
constexpr std::size_t kMostNamed = 20;

/// It has process noise or forgetting: P is more than the data leave of P₀.
bool Follows(const Estimator& estimator) {
  const auto* online = dynamic_cast<const OnlineEstimator*>(&estimator);
  return online != nullptr && online->follows();
}

bool IsWhite(const Problem& problem) {
  return std::ranges::all_of(
      problem.rows, [](const EquationRows& rows) { return rows.autocorrelation.size() == 0; });
}

/// Variances of the unknowns; infinite of what nothing is known of.
Eigen::VectorXd VariancesOf(const PriorSpread& before) {
  Eigen::VectorXd variances = before.covariance.diagonal();
  for (Eigen::Index k = 0; k < variances.size() && before.unknown.size() > 0; ++k) {
    if (!before.unknown.row(k).isZero(0.0)) {
      variances[k] = std::numeric_limits<double>::infinity();
    }
  }
  return variances;
}

/// Variance of what the data move each unknown by.
struct Moves {
  Eigen::VectorXd of_prior;  ///< With the declared noise.
  Eigen::VectorXd of_noise;  ///< The part of the noise in it, at most.
};

/// @param P0  variances.
Moves MovesOf(const Eigen::VectorXd& P0, const Estimate& estimate, bool exact) {
  if (!estimate.covariance) return {P0, Eigen::VectorXd::Zero(P0.size())};
  const Eigen::VectorXd P = estimate.covariance->diagonal();
  if (!exact) return {P0 + P, Eigen::VectorXd::Zero(P0.size())};
  return {P0 - P, P.cwiseMin(P0 - P)};
}

/// z of each unknown that is looked at; NaN of others.
Eigen::VectorXd ZScores(const Eigen::VectorXd& moved, const Eigen::VectorXd& P0, const Moves& moves,
                        double misfit) {
  Eigen::VectorXd z = Eigen::VectorXd::Constant(moved.size(), std::nan(""));
  for (Eigen::Index k = 0; k < z.size(); ++k) {
    if (!(P0[k] > 0.0) || !std::isfinite(P0[k]) || !(moves.of_prior[k] > kSame * P0[k])) continue;
    z[k] = moved[k] / std::sqrt(moves.of_prior[k] + (misfit - 1.0) * moves.of_noise[k]);
  }
  return z;
}

/// The unknowns that contradict their prior, the greatest |z| first.
std::vector<Eigen::Index> Contradicting(const Eigen::VectorXd& z) {
  std::vector<Eigen::Index> looked_at;
  std::vector<double> p;
  for (Eigen::Index k = 0; k < z.size(); ++k) {
    if (std::isnan(z[k])) continue;
    looked_at.push_back(k);
    p.push_back(std::erfc(std::abs(z[k]) / std::numbers::sqrt2));
  }
  const std::vector<double> adjusted = HolmAdjusted(p);
  std::vector<Eigen::Index> found;
  for (std::size_t k = 0; k < looked_at.size(); ++k) {
    if (adjusted[k] <= kConflictAlarmRate) found.push_back(looked_at[k]);
  }
  std::ranges::stable_sort(found, std::greater(), [&z](Eigen::Index k) { return std::abs(z[k]); });
  return found;
}

}  // namespace

PriorUse UseOfPrior(const Estimator& estimator) {
  const FrameDependence depends = estimator.frame_dependence();
  if (!depends.by_prior_sigma) return PriorUse::kNone;
  return depends.by.empty() && !Follows(estimator) ? PriorUse::kBayes : PriorUse::kRoughly;
}

std::string PriorConflict(const Problem& problem, PriorUse use, const Estimate& estimate,
                          const std::function<double()>& misfit) {
  const auto& prior = problem.parameters.prior;
  if (!prior || problem.parameters.changes) return "";
  const bool own = estimate.own_prior.has_value();
  if (!own && use == PriorUse::kNone) return "";
  // Without σ the moves have no size, and what forgets its data forgets its prior.
  if (!DeclaresAllSigma(problem) || (!own && use == PriorUse::kRoughly && !estimate.covariance)) {
    return "";
  }
  const std::optional<PriorSpread> before = SpreadBefore(problem.parameters, estimate);
  if (!before) return "";
  const Eigen::VectorXd P0 = VariancesOf(*before);
  const bool reviewed = estimate.notes.contains("sigma");  // residuals are not as declared
  const bool exact = !own && use == PriorUse::kBayes && !reviewed && IsWhite(problem) &&
                     problem.parameters.affine() != nullptr;
  const Moves moves = MovesOf(P0, estimate, exact);
  const Eigen::VectorXd moved = estimate.x - prior->mean;
  if (Contradicting(ZScores(moved, P0, moves, 1.0)).empty()) return "";
  const double noise = misfit();
  const Eigen::VectorXd z = ZScores(moved, P0, moves, noise);
  const std::vector<Eigen::Index> found = Contradicting(z);
  if (found.empty()) return "";
  std::vector<std::string> named;
  for (const Eigen::Index k : found) {
    if (named.size() == kMostNamed) break;
    named.push_back(fmt::format("{} (z = {:.3g})",
                                problem.parameters.names[static_cast<std::size_t>(k)], z[k]));
  }
  const bool doubtful = reviewed || noise > kMisfit;
  return fmt::format(
      "contradicted by the data{} (by chance in about {:g} % of estimates); {}",
      doubtful ? ", unless the model is wrong: residuals are not the declared noise, and what the "
                 "model lacks moves estimates too"
               : "",
      100.0 * kConflictAlarmRate, fmt::join(named, ", "));
}

}  // namespace idbench
