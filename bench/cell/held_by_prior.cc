#include "bench/cell/held_by_prior.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "estimators/solvers/linear_regression.h"
#include "scenarios/problem/parameter_kind.h"

namespace idbench {

std::string HeldByPriorNote(const TrialData& first) {
  const Problem& problem = first.problem();
  const Parametrisation& parameters = problem.parameters;
  if (!parameters.prior || !parameters.prior->covariance || parameters.affine() == nullptr ||
      HaveRowsFrom(problem.equations(), RowsFrom::kStateRows)) {
    return "";
  }
  std::vector<std::string> held;
  try {
    const LinearRegression regression(problem, first.datasets);
    const Eigen::VectorXd& sigma = regression.declared_sigma();
    if (sigma.size() == 0 || !(sigma.minCoeff() > 0.0)) return "";
    const Eigen::VectorXd weights = sigma.array().square().inverse();
    const Eigen::VectorXd information = regression.WeightedSums(weights).AtA.diagonal();
    const Eigen::VectorXd P0 = parameters.prior->covariance->diagonal();
    for (Eigen::Index k = 0; k < P0.size(); ++k) {
      if (parameters.prior->KnowsNothingOf(k)) continue;
      const std::string& name = parameters.names[static_cast<std::size_t>(k)];
      if (IsInertialKind(ParameterKind(name)) || !(P0[k] > 0.0) || !std::isfinite(P0[k])) continue;
      if (information[k] > 0.0 && P0[k] * information[k] < 1.0) held.push_back(name);
    }
  } catch (const EstimationFailure&) {
    return "";  // the channels do not align
  }
  if (held.empty()) return "";
  return fmt::format(
      "the σ of the prior is below what the data tell of {}: methods that take it leave {} nearly "
      "where it has {}, whatever the data say; state a σ that it may be off by in "
      "/problem/prior/std",
      ListSome(held), held.size() == 1 ? "it" : "them", held.size() == 1 ? "it" : "them");
}

}  // namespace idbench
