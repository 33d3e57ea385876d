#include "scenarios/scenario_check.h"

#include <doctest/doctest.h>

#include "scenarios/loaded_test.h"

namespace idbench {
namespace {

/// A scenario with something wrong in its windows, its estimators and its metrics.
LoadedScenario ThreeFaults() {
  LoadedScenario loaded = LoadSmall(SmallSimulation());
  loaded.scenario.windows.emplace_back("t=1", WindowOptions());
  loaded.scenario.estimators.clear();
  loaded.scenario.metrics = {"no_such_metric"};
  return loaded;
}

std::vector<std::string> PlacesOf(const std::vector<Issue>& issues) {
  std::vector<std::string> places;
  for (const Issue& issue : issues) places.push_back(issue.where);
  return places;
}

TEST_CASE("All that is wrong is told at once, part by part") {
  const LoadedScenario loaded = ThreeFaults();
  const std::vector<Issue> issues = CheckScenario(loaded.scenario, loaded.robot, kTwoMetrics);
  CHECK(PlacesOf(issues) == std::vector<std::string>{"/estimators", "/windows/t=1", "/metrics/0"});
  CHECK(issues.at(0).details == std::vector<std::string>{"name at least one estimator"});
  const LoadedScenario fine = LoadSmall(SmallSimulation());
  CHECK(CheckScenario(fine.scenario, fine.robot, kTwoMetrics).empty());
}

TEST_CASE("A part that has an issue already is not checked, nor what reads it") {
  const LoadedScenario loaded = ThreeFaults();
  const auto places = [&loaded](const char* known) {
    return PlacesOf(
        CheckScenario(loaded.scenario, loaded.robot, kTwoMetrics, {{known, "is wrong", {}}}));
  };
  CHECK(places("/windows/t=1/until_s") == std::vector<std::string>{"/estimators", "/metrics/0"});
  // Which estimators there may be hangs on the problem.
  CHECK(places("/problem/prior/set") == std::vector<std::string>{"/windows/t=1", "/metrics/0"});
}

TEST_CASE("Expected failures are of estimators that there are, with outcomes that there are") {
  Json json = SmallSimulation();
  json["expected_failures"] = {{"olss", "rank_deficient"}};
  CHECK(LoadMessage(json) ==
        "test.json: /expected_failures/olss: no such estimator\n"
        "  accepted here: ols\n"
        "  did you mean 'ols'?");
  json["expected_failures"] = {{"ols", "ok"}};
  CHECK(LoadMessage(json) ==
        "test.json: /expected_failures/ols: got \"ok\"\n"
        "  accepted here: rank_deficient, not_converged, diverged, non_finite, refused, "
        "crashed, plant_failed");
}

}  // namespace
}  // namespace idbench
