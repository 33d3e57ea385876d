#include "estimators/interface/observer.h"

#include <fmt/format.h>

namespace idbench {
namespace {

Observation NotObserved(Outcome outcome, const std::string& reason) {
  Observation observation;
  observation.outcome = outcome;
  observation.reason = reason;
  return observation;
}

/// A result that claims to be fine, checked.
Observation Checked(Observation observation, const std::vector<std::string_view>& promised) {
  for (const std::string_view name : promised) {
    if (FindNamed(observation.series, name) == nullptr) {
      return NotObserved(Outcome::kCrashed, fmt::format("returned no series '{}'", name));
    }
  }
  const std::string fault = FirstFaultOf(observation.series, observation.labels);
  if (!fault.empty()) return NotObserved(Outcome::kCrashed, fault);
  return observation;
}

}  // namespace

std::string Observer::WhyRefused(const Problem& problem) const {
  try {
    CheckProblem(problem);
  } catch (const EstimationFailure& failure) {
    return failure.what();
  }
  return "";
}

void Observer::CheckProblem(const Problem& problem) const {
  const std::vector<std::string> unmet = UnmetNeeds(needs(), problem);
  if (!unmet.empty()) Refuse(unmet.front());
}

Observation Observer::Observe(const Problem& problem, const Estimate& model,
                              std::span<const Dataset> training, const Dataset& watched) {
  try {
    CheckProblem(problem);
    Observation observation = Watch(problem, model, training, watched);
    return observation.ok() ? Checked(std::move(observation), gives()) : observation;
  } catch (...) {
    const CaughtFailure failure;
    return NotObserved(failure.outcome, failure.reason);
  }
}

}  // namespace idbench
