#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/metrics/cramer_rao.h"
#include "bench/metrics/least_squares_scenario_test.h"
#include "bench/metrics/metric_value_test.h"
#include "bench/trial/labelled_estimators.h"
#include "scenarios/drawn_as_declared.h"

/// The bound of methods with a prior: CramerRao::BayesianBound() and what is made of it.
namespace idbench {
namespace {

constexpr double kAllData = std::numeric_limits<double>::infinity();

/// Masses and moments of two links, the prior drawn per trial as it declares.
constexpr const char* kDrawnPrior = R"({
  "robot": {"truth": {"friction": {"viscous_nms_rad": 0, "coulomb_nm": 0, "offset_nm": 0}, "rotor_inertia_kgm2": 0}},
  "problem": {"parametrisation": {"type": "masses_and_moments", "friction": [], "rotor_inertia": false},
              "prior": {"relative_std": 0.2, "draw": "trial", "mass_error": {"type": "declared"},
                        "inertia_error": {"type": "declared"}}},
  "estimators": {"ols": null, "map": {}, "prior_only": {}}})";

TEST_CASE("The Bayesian bound is the covariance that a linear Gaussian posterior has") {
  const LoadedScenario loaded = LeastSquaresScenario(kDrawnPrior);
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const TrialData data = context.Run(3);
  const Estimate map =
      MakeEstimators(context.scenario())[0].second->Run(data.problem(), data.datasets);
  const auto values = evaluator.Evaluate({{map}}, data);
  const MetricValue& bound = Find(values, "parameter_error_bound");
  const Eigen::VectorXd truth = data.problem().parameters.FromPi(*data.true_pi());
  REQUIRE(bound.components.size() == 8);
  for (Eigen::Index k = 0; k < truth.size(); ++k) {
    // The states are exact and σ is the true one: map states the same covariance, by its own sums.
    const double expected = std::sqrt((*map.covariance)(k, k)) / truth[k];
    CHECK(bound.components[static_cast<std::size_t>(k)] == doctest::Approx(expected).epsilon(1e-6));
    const double error = std::abs(map.x[k] - truth[k]) / truth[k];
    CHECK(Find(values, "parameter_error_fraction").components[static_cast<std::size_t>(k)] ==
          doctest::Approx(error).epsilon(1e-12));
  }
  const MetricValue& masses = Find(values, "link_mass_error_bound");
  REQUIRE(masses.components.size() == 2);
  CHECK(masses.components[0] == doctest::Approx(bound.components[0]).epsilon(1e-12));
  CHECK(masses.components[1] == doctest::Approx(bound.components[4]).epsilon(1e-12));
}

TEST_CASE("Over priors drawn as declared, the posterior mean attains the Bayesian bound") {
  const LoadedScenario loaded = LeastSquaresScenario(kDrawnPrior);
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const LabelledEstimators estimators = MakeEstimators(context.scenario());
  constexpr int kTrials = 150;
  double map = 0.0, prior_only = 0.0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const TrialData data = context.Run(trial);
    const auto ratio = [&](std::size_t which) {
      const Estimate estimate = estimators[which].second->Run(data.problem(), data.datasets);
      return *Find(evaluator.Evaluate({{estimate}}, data), "van_trees_ratio").value / kTrials;
    };
    map += ratio(0);
    prior_only += ratio(1);
  }
  // χ²_8/8: the mean of 150 deviates by √(2/(8·150)); four deviations.
  CHECK(std::abs(map - 1.0) < 4.0 * std::sqrt(2.0 / (8.0 * kTrials)));
  CHECK(prior_only > 2.0);
}

TEST_CASE("Where the prior is not drawn as it declares, no estimator is judged by it") {
  Json json = ParseJson(kDrawnPrior, "test");
  json["sweep"] = ParseJson(
      R"([{"name": "law", "set": {"/problem/prior/mass_error": [{"type": "declared"}, {"type": "random_sign"}]}}])",
      "sweep");
  const LoadedScenario loaded = LeastSquaresScenario(json.dump().c_str());
  RolloutStore rollouts;
  const auto ratio = [&](std::size_t cell) {
    const PreparedCell context(loaded, loaded.cells[cell], rollouts);
    const TrialData data = context.Run(0);
    const Estimate map =
        MakeEstimators(context.scenario())[0].second->Run(data.problem(), data.datasets);
    const auto values = MetricEvaluator(context, loaded.metrics).Evaluate({{map}}, data);
    return Find(values, "van_trees_ratio");
  };
  CHECK(ratio(0).value);
  CHECK(ratio(1).failure == kNotDrawnAsDeclared);
  const LoadedScenario fixed =
      LeastSquaresScenario(R"({"problem": {"prior": {"relative_std": 0.2}}})");
  const auto absent = std::ranges::find(fixed.absent_metrics, "van_trees_ratio",
                                        &std::pair<std::string, std::string>::first);
  REQUIRE(absent != fixed.absent_metrics.end());
  CHECK(absent->second == kNotDrawnAsDeclared);
}

TEST_CASE("A truth that no unknowns describe is not judged by the Bayesian bound") {
  Json json = ParseJson(kDrawnPrior, "test");
  json["robot"]["truth"]["friction"]["viscous_nms_rad"] = 0.1;  // the model has no friction
  const LoadedScenario loaded = LeastSquaresScenario(json.dump().c_str());
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const TrialData data = context.Run(0);
  const Estimate map =
      MakeEstimators(context.scenario())[0].second->Run(data.problem(), data.datasets);
  const auto values = MetricEvaluator(context, loaded.metrics).Evaluate({{map}}, data);
  CHECK(Find(values, "van_trees_ratio").failure == "no unknowns predict as the truth does");
}

TEST_CASE("A prior without a covariance bounds nothing") {
  const LoadedScenario loaded = LeastSquaresScenario();
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const TrialData data = context.Run(0);
  CramerRao bound(context.problem(), context.sensors());
  bound.SetTrial(data);
  CHECK(bound.BayesianBound(kAllData).refusal ==
        "no covariance of the prior: see std and relative_std");
  CHECK(bound.BayesianRatio({}, kAllData).failure ==
        "no covariance of the prior: see std and relative_std");
}

/// Masses and moments beside viscous friction, of which the prior says `fv`.
LoadedScenario BesideFriction(const char* type, const Json& std) {
  Json json = ParseJson(R"({
    "robot": {"truth": {"friction": {"viscous_nms_rad": 0.3, "coulomb_nm": 0, "offset_nm": 0}, "rotor_inertia_kgm2": 0}},
    "problem": {"parametrisation": {"friction": ["viscous"], "rotor_inertia": false}, "prior": {"mass_scale": 1.1}},
    "estimators": {"ols": null}})",
                        "test");
  json["problem"]["parametrisation"]["type"] = type;
  json["estimators"]["map"] = Json::object();
  Json description = LeastSquaresDescription();
  description.merge_patch(json);
  description["problem"]["prior"]["std"] = std;  // a merge patch takes null away
  return LoadScenario(description, "test", {}, AllMetrics());
}

TEST_CASE("Beside what the prior knows nothing of, it is the covariance of data and the rest") {
  const LoadedScenario loaded =
      BesideFriction("masses_and_moments", {{"body", 0.2}, {"fv", nullptr}});
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const TrialData data = context.Run(0);
  const Estimate map =
      MakeEstimators(context.scenario())[0].second->Run(data.problem(), data.datasets);
  REQUIRE_MESSAGE(map.ok(), map.reason);
  const auto values = evaluator.Evaluate({{map}}, data);
  const MetricValue& bound = Find(values, "parameter_error_bound");
  const Eigen::VectorXd truth = data.problem().parameters.FromPi(*data.true_pi());
  REQUIRE(bound.components.size() == 10);
  for (Eigen::Index k = 0; k < truth.size(); ++k) {
    const double expected = std::sqrt((*map.covariance)(k, k)) / truth[k];
    CHECK(bound.components[static_cast<std::size_t>(k)] == doctest::Approx(expected).epsilon(1e-6));
  }
  CramerRao of_data(context.problem(), context.sensors());
  of_data.SetTrial(data);
  CHECK(of_data.BayesianRatio(map, kAllData).failure ==
        "a prior that knows nothing of some unknowns is no law to draw them from");
}

TEST_CASE("What neither data nor prior tell has no bound") {
  const LoadedScenario loaded = BesideFriction("standard", {{"body", nullptr}, {"fv", nullptr}});
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const TrialData data = context.Run(0);
  CramerRao bound(context.problem(), context.sensors());
  bound.SetTrial(data);
  CHECK(bound.BayesianBound(kAllData).refusal ==
        "the data do not show all that the prior knows nothing of");
}

}  // namespace
}  // namespace idbench
