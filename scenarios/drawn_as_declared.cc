#include "scenarios/drawn_as_declared.h"

#include <algorithm>
#include <optional>
#include <variant>

#include "scenarios/problem/drawn_set.h"
#include "scenarios/problem/parametrisations.h"

namespace idbench {

bool DrawnAsDeclared(const Scenario& scenario) {
  if (!scenario.simulated() || !scenario.problem.prior) return false;
  const PriorOptions& prior = *scenario.problem.prior;
  const TruthOptions& truth = *scenario.robot.truth;
  const ParametrisationOptions& unknowns = scenario.problem.parametrisation;
  const auto declared = [](const std::optional<ErrorLaw>& law) {
    return law && std::holds_alternative<DeclaredError>(*law);
  };
  const bool nothing_beyond = truth.terms.empty() && BeyondModel(truth.joints).empty() &&
                              std::ranges::all_of(scenario.experiments, [](const auto& experiment) {
                                const ExperimentOptions& options = experiment.second;
                                const bool touched = options.role == Role::kIdentification &&
                                                     options.environment &&
                                                     !options.environment->empty();
                                return options.events.empty() && !touched;
                              });
  if (!DrawnPerTrial(prior) || !nothing_beyond || !prior.unknown_scale.empty() ||
      prior.unknown_error || prior.density_error) {
    return false;
  }
  if (prior.mean_error) return !prior.mass_error && !prior.inertia_error && !prior.draws_com();
  return declared(prior.mass_error) && declared(prior.inertia_error) && !prior.draws_com() &&
         prior.set == truth.set && prior.mass_scale == truth.mass_scale &&
         prior.inertia_scale == truth.inertia_scale && !truth.density_error && !truth.mass_error &&
         !truth.draws_com() && !truth.inertia_error &&
         KindNamed(unknowns.type).supplies.Has(Capability::kMassesAndMoments) &&
         unknowns.friction.empty() && !unknowns.rotor_inertia && scenario.problem.terms.empty();
}

}  // namespace idbench
