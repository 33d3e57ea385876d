#include "bench/notes/held_by_prior.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "estimators/solvers/linear_regression.h"
#include "scenarios/problem/parameter_kind.h"

namespace idbench {

std::vector<std::string> HeldByPriorNotes(const TrialData& first) {
  const Problem& problem = first.problem();
  const Parametrisation& parameters = problem.parameters;
  if (!parameters.prior || !parameters.prior->covariance || parameters.affine() == nullptr ||
      HaveRowsFrom(problem.equations(), RowsFrom::kStateRows)) {
    return {};
  }
  std::vector<std::string> held, of_bodies;
  try {
    const LinearRegression regression(problem, first.datasets);
    const Eigen::VectorXd& sigma = regression.declared_sigma();
    if (sigma.size() == 0 || !(sigma.minCoeff() > 0.0)) return {};
    const Eigen::VectorXd weights = sigma.array().square().inverse();
    const Eigen::VectorXd information = SquaredColumnNorms(regression.WeightedSums(weights).AtA);
    const Eigen::VectorXd P0 = parameters.prior->covariance->diagonal();
    for (Eigen::Index k = 0; k < P0.size(); ++k) {
      if (parameters.prior->KnowsNothingOf(k)) continue;
      const std::string& name = parameters.names[static_cast<std::size_t>(k)];
      if (!(P0[k] > 0.0) || !std::isfinite(P0[k])) continue;
      if (!(information[k] > 0.0 && P0[k] * information[k] < 1.0)) continue;
      (IsBodyKind(ParameterKind(name)) ? of_bodies : held).push_back(name);
    }
  } catch (const EstimationFailure&) {
    return {};  // the channels do not align
  }
  std::vector<std::string> notes;
  if (!held.empty()) {
    const char* const them = held.size() == 1 ? "it" : "them";
    notes.push_back(
        fmt::format("the σ of the prior is below what the data tell of {}: methods that take it "
                    "leave {} nearly "
                    "where it has {}, whatever the data say; state a σ that it may be off by in "
                    "/problem/prior/std",
                    ListSome(held), them, them));
  }
  if (!of_bodies.empty()) {
    notes.push_back(fmt::format(
        "the σ of the prior is below what the data tell of {} parameters of bodies: {}; "
        "methods that take it leave them nearly where it has them",
        of_bodies.size(), ListSome(of_bodies)));
  }
  return notes;
}

}  // namespace idbench
