#include "estimators/walkers/zd_ml.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "estimators/solvers/chi_square.h"
#include "estimators/walkers/wls_fcd.h"
#include "estimators/walkers/zero_dynamics_likelihood.h"

namespace idbench {
namespace {

/// A spline needs as many.
constexpr Eigen::Index kLeastSamples = 6;

/// Looks for minima from one start after another and keeps the lowest.
struct Search {
  const std::vector<WalkerRecording>& recordings;
  const std::vector<FcdMotion>& filtered;
  int max_iterations;
  ZeroDynamicsLikelihood likelihood;

  std::optional<ZeroDynamicsLikelihood::Minimum> best = {};
  std::string start = {};
  int iterations = 0;         ///< From all starts.
  std::string obstacle = {};  ///< Why there is no minimum from the last start that had none.

  /// @param beta  makes the first guess.
  template <class Beta>
  void From(const char* name, const Beta& beta) {
    try {
      ZeroDynamicsLikelihood::Minimum minimum =
          likelihood.Approach(likelihood.Start(beta(), recordings, filtered), max_iterations);
      iterations += minimum.iterations;
      if (best && !(minimum.S < best->S)) return;
      best = std::move(minimum);
      start = name;
    } catch (const EstimationFailure& failure) {
      // Of data that determine nothing no start makes an estimate.
      if (failure.outcome() == Outcome::kRankDeficient) throw;
      obstacle = fmt::format("from the start '{}': {}", name, failure.what());
    }
  }

  /// @throws EstimationFailure where no start led to a minimum.
  void Finish() {
    if (!best) throw EstimationFailure(Outcome::kDiverged, obstacle);
    iterations -= best->iterations;
    likelihood.Polish(*best, max_iterations);
    iterations += best->iterations;
    if (best->converged) return;
    throw EstimationFailure(
        Outcome::kNotConverged,
        fmt::format("the sum of squares was still falling after {} iterations from the start "
                    "'{}', at {:.4g}",
                    best->iterations, start, best->S));
  }
};

/// That of the first unknowns, β; behind them are angle and rate at the beginnings, which are
/// always determined, because the angle is measured.
/// @throws EstimationFailure (rank_deficient) where the recordings do not determine β.
Eigen::MatrixXd CovarianceOfBeta(Search& search, const std::vector<std::string>& names) {
  LeastSquaresSolution solution = search.likelihood.Linearised(search.best->x);
  const auto size = static_cast<Eigen::Index>(names.size());
  if (solution.determined()) return solution.inverse.topLeftCorner(size, size);
  solution.rank -= solution.undetermined.size() - size;
  throw EstimationFailure(
      Outcome::kRankDeficient,
      DescribeUndetermined(solution, names) +
          "; use a richer motion, or fewer unknowns (/problem/parametrisation/friction)");
}

}  // namespace

FieldTable Visit(ZdMlOptions& o) {
  FieldTable table;
  AddFcdFields(o.fcd, table);
  AddKnots(o.knot, table);
  table
      .Add("max_iterations", o.max_iterations,
           {.doc = "Greatest number of iterations from each start", .lower = 1})
      .Add("reject_unhealthy", o.reject_unhealthy,
           {.doc = "Fail, instead of only noting it, if the sum of squares S is above "
                   "the 97.5 % quantile of χ²"});
  return table;
}

EstimatorNeeds ZdMl::needs() const { return WalkerNeeds(options_.fcd.absolute_angle); }

Estimate ZdMl::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  CheckNeeds(problem);
  const std::vector<WalkerRecording> recordings = ReadWalkerData(
      problem, datasets, ChannelsOf(options_.fcd.absolute_angle),
      [&](double Ts) { return std::max(LeastSamples(options_.fcd, Ts), kLeastSamples); });
  std::vector<FcdMotion> filtered;
  for (const WalkerRecording& recording : recordings) {
    filtered.push_back(FilteredDifferences(problem.model, recording, options_.fcd));
  }
  Search search{.recordings = recordings,
                .filtered = filtered,
                .max_iterations = options_.max_iterations,
                .likelihood = {problem, recordings, options_.fcd.absolute_angle, options_.knot}};
  const auto freedom = static_cast<double>(search.likelihood.degrees_of_freedom());
  const auto& prior = problem.parameters.prior;
  if (prior) search.From("prior", [&] { return prior->mean; });
  if (!search.best || search.best->S > ChiSquareLimit(freedom)) {
    search.From("wls_fcd", [&] { return FitWlsFcd(problem, recordings, {.fcd = options_.fcd}).x; });
  }
  search.Finish();
  Estimate estimate;
  estimate.x = search.best->x.head(problem.parameters.size());
  estimate.diagnostics["iterations"] = search.iterations;
  estimate.notes["start"] = search.start;
  JudgeSumOfSquares(search.best->S, freedom, options_.reject_unhealthy, estimate);
  estimate.covariance = CovarianceOfBeta(search, problem.parameters.names);
  return estimate;
}

}  // namespace idbench
