#include "scenarios/scenario_check.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "scenarios/attached_check.h"
#include "scenarios/experiment_check.h"
#include "scenarios/laboratory_check.h"
#include "scenarios/metric_check.h"
#include "scenarios/observers.h"
#include "scenarios/problem/drawn_mean.h"
#include "scenarios/problem/problem_check.h"
#include "scenarios/simulation_check.h"
#include "scenarios/supplies.h"

namespace idbench {
namespace {

std::vector<Issue> CheckEstimators(const Scenario& scenario) {
  if (!scenario.estimators.empty()) return {};
  return {{"/estimators", "is empty", {"name at least one estimator"}}};
}

std::vector<Issue> CheckExpectedFailures(const Scenario& scenario) {
  std::vector<std::string> labels;
  for (const auto& [label, estimator] : scenario.estimators) labels.push_back(label);
  std::vector<Issue> issues;
  for (const auto& [label, outcome] : scenario.expected_failures) {
    if (std::ranges::find(labels, label) != labels.end()) continue;
    issues.push_back({PointerTo("/expected_failures", label), "no such estimator",
                      AcceptedNames(label, labels)});
  }
  return issues;
}

/// A check, and the parts of the scenario that it reads: it is not made if one has an issue.
struct Subject {
  bool there;
  std::vector<std::string_view> parts;
  std::function<std::vector<Issue>()> check;
};

}  // namespace

std::vector<Issue> CheckScenario(const Scenario& scenario, const Robot& robot,
                                 std::span<const MetricInfo> metrics,
                                 const std::vector<Issue>& known) {
  const auto sound = [&known](std::string_view part) {
    return std::ranges::none_of(
        known, [part](const Issue& issue) { return issue.where.starts_with(part); });
  };
  const bool simulated = scenario.simulated();
  const auto& truth = scenario.robot.truth;
  const auto& prior = scenario.problem.prior;
  const Supplies supplies = SuppliedBy(scenario, robot);
  const std::vector<Subject> subjects = {
      {truth.has_value(), {"/robot"}, [&] { return CheckTruth(*truth, robot); }},
      {prior.has_value(),
       {"/problem/prior"},
       [&] { return CheckSet(*prior, robot, "/problem/prior"); }},
      {!simulated, {}, [&] { return CheckSimulatedOrRecorded(scenario); }},
      {true, {"/experiments"}, [&] { return CheckExperiments(scenario, robot); }},
      {true,
       {"/attached", "/configurations", "/problem/parametrisation"},
       [&] { return CheckAttached(scenario); }},
      {simulated, {"/plant", "/robot"}, [&] { return CheckPlant(scenario); }},
      {simulated,
       {"/sensors", "/plant"},
       [&] { return CheckSensorsOf(scenario, robot, supplies); }},
      {simulated,
       {"/sensors", "/plant"},
       [&] { return CheckControls(scenario, robot, supplies, sound); }},
      {!simulated,
       {"/recording", "/experiments"},
       [&] { return CheckRecordings(scenario, robot); }},
      {true, {"/problem"}, [&] { return CheckProblem(scenario.problem, robot, supplies); }},
      {true,
       {"/problem", "/robot"},
       [&] { return CheckMeanError(scenario.problem, truth ? &*truth : nullptr, robot.model); }},
      {true, {"/problem", "/processing"}, [&] { return CheckCausality(scenario); }},
      {true, {"/processing"}, [&] { return CheckDifference(scenario, robot.model); }},
      {true, {"/problem", "/estimators"}, [&] { return CheckEstimators(scenario); }},
      {true, {"/estimators"}, [&] { return CheckExpectedFailures(scenario); }},
      {true,
       {"/estimators", "/plant", "/sensors", "/laboratory"},
       [&] { return CheckLaboratory(scenario, supplies); }},
      {true,
       {"/experiments", "/estimators", "/problem", "/observers"},
       [&] { return CheckObservers(scenario); }},
      {scenario.scoring.has_value(),
       {"/scoring"},
       [&] { return CheckScoring(*scenario.scoring, simulated); }},
      {true, {"/windows"}, [&] { return CheckWindows(scenario); }},
      {true, {"/metrics"}, [&] { return CheckMetricNames(scenario, metrics); }},
  };
  std::vector<Issue> issues;
  for (const Subject& subject : subjects) {
    if (!subject.there || !std::ranges::all_of(subject.parts, sound)) continue;
    for (Issue& issue : subject.check()) issues.push_back(std::move(issue));
  }
  return issues;
}

}  // namespace idbench
