#include "bench/trial/labelled_estimators.h"

#include <cassert>

#include "estimators/interface/active_estimator.h"
#include "estimators/registry.h"

namespace idbench {

LabelledEstimators MakeEstimators(const Scenario& scenario) {
  LabelledEstimators estimators;
  for (const auto& [label, options] : scenario.estimators) {
    std::unique_ptr<Estimator> estimator = FindEstimator(options.type)->make();
    std::vector<Issue> issues;
    ReadFields(estimator->Fields(), *options.options, "", issues);
    assert(issues.empty());  // they were checked with the scenario
    estimators.emplace_back(label, std::move(estimator));
  }
  return estimators;
}

bool IsUntaught(const Estimator& estimator) {
  const EstimatorNeeds needs = estimator.needs();
  return needs.channels.empty() && !needs.measurements &&
         dynamic_cast<const ActiveEstimator*>(&estimator) == nullptr;
}

}  // namespace idbench
