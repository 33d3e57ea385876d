#include "estimators/solvers/linearisation_review.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <vector>

#include "estimators/solvers/in_coordinates.h"
#include "estimators/solvers/learned_directions.h"
#include "estimators/solvers/linear_regression.h"

namespace idbench {
namespace {

/// Of rms errors in σ.
constexpr double kMostError = 0.5;

/// x* of all data, or nothing where no regression holds them.
std::optional<Eigen::VectorXd> MostProbable(const Problem& problem,
                                            std::span<const Dataset> datasets,
                                            const PriorSpread& prior,
                                            const Eigen::VectorXd& about) {
  std::optional<Problem> tangent;
  if (problem.parameters.affine() == nullptr) tangent = LinearisedAt(problem, about);
  try {
    const LinearRegression regression(tangent ? *tangent : problem, datasets);
    if (regression.declared_sigma().size() == 0) return std::nullopt;
    return regression
        .SolveWithPrior(regression.declared_sigma().array().square().inverse(),
                        CoordinatesOf({.mean = problem.parameters.prior->mean,
                                       .covariance = prior.covariance,
                                       .unknown = prior.unknown}))
        .x;
  } catch (const EstimationFailure&) {
    return std::nullopt;
  }
}

}  // namespace

void ReviewLinearisation(const Problem& problem, std::span<const Dataset> datasets,
                         const PriorSpread& before, Estimate& estimate) {
  if (!estimate.ok() || !estimate.covariance || problem.parameters.changes ||
      HaveRowsFrom(problem.equations(), RowsFrom::kStateRows)) {
    return;
  }
  const std::optional<Eigen::VectorXd> best = MostProbable(problem, datasets, before, estimate.x);
  if (!best) return;
  const Eigen::MatrixXd prior = WithUnknown(before, *estimate.covariance);
  std::vector<int> open;
  for (int k = 0; k < prior.rows(); ++k) {
    if (prior(k, k) > 0.0) open.push_back(k);
  }
  const Eigen::VectorXd off = estimate.x - *best;
  const DirectionErrors errors =
      ErrorsAlongLearned(off(open), (*estimate.covariance)(open, open), prior(open, open));
  if (errors.in_sigma.empty()) return;
  const Eigen::Map<const Eigen::VectorXd> in_sigma(errors.in_sigma.data(),
                                                   std::ssize(errors.in_sigma));
  const double rms = std::sqrt(in_sigma.squaredNorm() / static_cast<double>(in_sigma.size()));
  if (!std::isfinite(rms)) return;
  estimate.diagnostics["linearisation_error_sigma"] = rms;
  if (rms <= kMostError) return;
  const std::string why = fmt::format(
      "linearised sample by sample, the filter missed what its own prior and data say together; by "
      "{:.2g} σ (rms over what the data taught)",
      rms);
  estimate.covariance.reset();
  estimate.notes["sigma"] = "withheld: " + why;
  estimate.notes["covariance"] = "none stated: " + why;
}

}  // namespace idbench
