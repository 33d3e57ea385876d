#include "scenarios/attached_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "scenarios/problem/parametrisations.h"

namespace idbench {
namespace {

void CheckTruthOfBody(const Scenario& scenario, const AttachedBodyOptions& body,
                      const std::string& where, std::vector<Issue>& issues) {
  if (!scenario.simulated() && (body.truth || body.drawn)) {
    issues.push_back({where + (body.truth ? "/truth" : "/drawn"),
                      "has no meaning for a recording",
                      {"remove it"}});
  } else if (scenario.simulated() && !body.truth && !body.drawn && !body.known) {
    issues.push_back({where + "/truth",
                      "missing",
                      {"say the mass, the centre of mass and the inertia of the simulated body"}});
  }
}

/// Some unknowns are of a robot that is otherwise known, others hold no parameters of bodies.
void CheckUnknowns(const ParametrisationKind& kind, const AttachedBodyOptions& body,
                   const std::string& where, std::vector<Issue>& issues) {
  if (kind.takes_terms) return;
  if (kind.supplies.Has(Capability::kLagrangian)) {
    issues.push_back(
        {where,
         fmt::format("has no meaning for \"{}\", which says nothing of single bodies", kind.name),
         {"remove it, or choose another /problem/parametrisation"}});
  } else if (!body.known) {
    issues.push_back(
        {where + "/known",
         fmt::format("is false, but \"{}\" takes all bodies of the robot for known", kind.name),
         {"set it to true, with the body's inertia as its prior"}});
  }
}

}  // namespace

std::vector<Issue> CheckAttached(const Scenario& scenario) {
  std::vector<Issue> issues;
  const ParametrisationKind& kind = KindNamed(scenario.problem.parametrisation.type);
  for (const auto& [name, body] : scenario.attached) {
    const std::string where = PointerTo("/attached", name);
    CheckTruthOfBody(scenario, body, where, issues);
    CheckUnknowns(kind, body, where, issues);
  }
  std::vector<std::string> accepted;
  for (const auto& [name, configuration] : scenario.configurations) accepted.push_back(name);
  for (const auto& [label, experiment] : scenario.experiments) {
    const std::string& name = experiment.configuration;
    if (name.empty() || std::ranges::find(accepted, name) != accepted.end()) continue;
    issues.push_back({PointerTo("/experiments", label) + "/configuration",
                      fmt::format("there is no configuration \"{}\"", name),
                      accepted.empty() ? std::vector<std::string>{"declare it in /configurations"}
                                       : AcceptedNames(name, accepted)});
  }
  return issues;
}

std::vector<std::string> UnusedConfigurations(const Scenario& scenario) {
  std::vector<std::string> unused;
  for (const auto& [name, configuration] : scenario.configurations) {
    const bool used = std::ranges::any_of(scenario.experiments, [&](const auto& experiment) {
      return experiment.second.configuration == name;
    });
    if (!used) unused.push_back(name);
  }
  return unused;
}

}  // namespace idbench
