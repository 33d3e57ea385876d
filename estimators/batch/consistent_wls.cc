#include "estimators/batch/consistent_wls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "estimators/solvers/entropic_fit.h"
#include "estimators/solvers/in_coordinates.h"
#include "estimators/solvers/reweighting.h"
#include "estimators/solvers/stated_covariance.h"

namespace idbench {
namespace {

/// Pull of the fit whose residuals tell the noise: it decides where the data do not.
constexpr double kSlightRidge = 1e-8;
/// σ below this part of the largest row's signal is round-off.
constexpr double kLeastRelativeSigma = 1e-6;

struct RowNoise {
  Eigen::VectorXd variance;                     ///< Of white noise with the same density.
  Eigen::VectorXd of_sample;                    ///< γ_0.
  std::optional<ResidualStatistics> residuals;  ///< Where they told it.
};

/// A penalty of kSlightRidge times each column's norm.
Eigen::MatrixXd SlightRidge(const NormalEquations& sums) {
  const Eigen::VectorXd norms = SquaredColumnNorms(sums.AtA);
  const double substitute = norms.maxCoeff() > 0.0 ? norms.maxCoeff() : 1.0;
  const Eigen::VectorXd root = norms.unaryExpr([=](double norm) {
    return 1.0 / std::sqrt(kSlightRidge * (norm > 0.0 ? norm : substitute));
  });
  return root.asDiagonal();
}

RowNoise NoiseOf(const ConsistentWlsOptions& options, const LinearRegression& regression) {
  const EquationWeighting weighting = options.weighting;
  if (weighting == EquationWeighting::kDeclared)
    return {regression.declared_sigma().cwiseAbs2(), regression.sample_sigma().cwiseAbs2(), {}};
  const Eigen::VectorXd origin = Eigen::VectorXd::Zero(regression.unknowns());
  // A row that nothing moves has no signal, and no noise, either.
  const double floor =
      kLeastRelativeSigma * kLeastRelativeSigma * regression.mean_square().maxCoeff();
  const auto floored = [&](const Eigen::VectorXd& variance) -> Eigen::VectorXd {
    return variance.cwiseMax(floor > 0.0 ? floor : 1.0);
  };
  LeastSquaresSolution free = regression.SolveRidge(kSlightRidge, origin);
  const Eigen::VectorXd freedom = DegreesOfFreedom(regression.counts(), regression.unknowns());
  // As in Wls: without, the noise of one row shows in the residuals of others.
  Reweighting rounds(options.reweightings);
  while (weighting == EquationWeighting::kRows && rounds.Continue()) {
    const Eigen::VectorXd weights =
        floored(regression.ResidualSquares(free.x).cwiseQuotient(freedom)).cwiseInverse();
    rounds.Took(weights);
    const LeastSquaresSolution last =
        std::exchange(free, regression.SolveWithPrior(
                                weights, {origin, SlightRidge(regression.WeightedSums(weights))}));
    rounds.Moved(free.x, last.x);
  }
  RowNoise noise;
  noise.residuals = JudgeResiduals(Filled(regression.Residuals(free.x)), regression.counts(),
                                   regression.unknowns(), regression.declared_autocovariance());
  noise.variance = noise.residuals->Variance();
  if (weighting == EquationWeighting::kEqual) noise.variance.setConstant(noise.variance.mean());
  noise.of_sample = floored(noise.variance);
  noise.variance = noise.of_sample;
  if (!regression.declared_autocovariance().empty()) {
    noise.variance.array() *=
        (regression.declared_sigma().array() / regression.sample_sigma().array()).square();
  }
  return noise;
}

/// States Laplace's covariance in v, as x has it, or what its residuals make of it.
void StateReviewed(const LinearRegression& regression, const RowNoise& noise,
                   const EntropicPrior& prior, const Eigen::VectorXd& v,
                   const Eigen::MatrixXd& inverse, Estimate& estimate) {
  const Eigen::VectorXd weights = noise.variance.cwiseInverse();
  estimate.covariance = UnderDeclaredShape(regression, inverse, weights, noise.of_sample);
  std::vector<Eigen::MatrixXd> residuals = Filled(regression.Residuals(v));
  const ResidualStatistics statistics = JudgeResiduals(
      residuals, regression.counts(), regression.unknowns(), regression.declared_autocovariance());
  ReviewResiduals(regression, statistics, {v, inverse, weights, std::move(residuals)}, estimate,
                  "a combination of unknowns");
  if (estimate.covariance) estimate.covariance = prior.CovarianceOfX(*estimate.covariance);
}

/// Sets unknowns that end at a bound exactly there, and says which they are.
void StateBounds(const Parametrisation& parameters, const CoordinateBounds& bounds,
                 const std::vector<int>& held, Estimate& estimate) {
  if (held.empty()) return;
  std::vector<std::string> at;
  for (const int m : held) {
    const int k = bounds.unknown[static_cast<std::size_t>(m)];
    const double lower = parameters.lower[k], upper = parameters.upper[k];
    const double x = estimate.x[k];
    estimate.x[k] = std::abs(x - lower) < std::abs(x - upper) ? lower : upper;
    at.push_back(
        fmt::format("{} = {:g}", parameters.names[static_cast<std::size_t>(k)], estimate.x[k]));
  }
  estimate.notes["bounds"] =
      fmt::format("at a bound: {}; σ is that of the estimate without bounds", fmt::join(at, ", "));
}

}  // namespace

FieldTable Visit(ConsistentWlsOptions& o) {
  FieldTable table;
  AddBodyWeight(o.lambda, table);
  table.Add("weighting", o.weighting,
            {.doc = "Noise variances that weight the equations: one per equation row from its "
                    "residuals (rows), one for all rows from all residuals (equal), or those that "
                    "the problem declares (declared)"});
  AddReweightings(o.reweightings, table);
  AddParallelFilter(o.parallel_filter, table);
  return table;
}

EstimatorNeeds ConsistentWls::needs() const {
  using enum Capability;
  return FilteredNeeds(
      options_.parallel_filter,
      Capabilities{kAffine, kPrior, kSigmaOfBodies} |
          Capabilities::If(options_.weighting == EquationWeighting::kDeclared, kRowSigma));
}

void ConsistentWls::CheckProblem(const Problem& problem) {
  CheckNeeds(problem);
  EntropicPrior(problem).Weight(options_.lambda);
}

Estimate ConsistentWls::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  CheckNeeds(problem);
  const EntropicPrior prior(problem);
  const LinearRegression regression(InCoordinates(problem, prior.x0(), prior.S()), datasets,
                                    options_.parallel_filter);
  const RowNoise noise = NoiseOf(options_, regression);
  const NormalEquations sums = regression.WeightedSums(noise.variance.cwiseInverse());
  CheckDetermined(prior, sums.AtA, problem.parameters.names);
  const double lambda = prior.Weight(options_.lambda);
  EntropicFit fit(prior, lambda);
  fit.SetData(sums.AtA, sums.Aty);
  Eigen::VectorXd v;
  std::vector<int> held;
  const Parametrisation& parameters = problem.parameters;
  const CoordinateBounds bounds = prior.Bounds(parameters.lower, parameters.upper);
  const NewtonResult result = fit.SolveWithin(bounds, v, held);
  Estimate estimate;
  StateSolution(problem, prior, lambda, result, v, estimate);
  StateBounds(parameters, bounds, held, estimate);
  fit.TakeCurvature(v);
  if (options_.weighting == EquationWeighting::kEqual) {
    estimate.notes["covariance"] = "none stated: equal weights do not know the noise of each row";
    return estimate;
  }
  if (noise.residuals) {
    const Eigen::VectorXd& ratio = noise.residuals->long_run_ratio;
    Eigen::Index worst = 0;
    (ratio.array() - 1.0).abs().maxCoeff(&worst);
    estimate.diagnostics["long_run_variance_ratio"] = ratio[worst];
  }
  StateReviewed(regression, noise, prior, v, fit.Covariance(), estimate);
  return estimate;
}

}  // namespace idbench
