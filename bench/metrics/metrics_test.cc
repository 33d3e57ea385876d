#include "bench/metrics/metrics.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "bench/metrics/metric_value_test.h"
#include "bench/metrics/planar_metrics_test.h"
#include "scenarios/drawn_as_declared.h"

namespace idbench {
namespace {

TEST_CASE("The truth has no parameter error, and a torque error that is the noise") {
  const LoadedScenario loaded = PlanarScenario();
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const TrialData data = context.Run(0);
  const auto values = evaluator.Evaluate({{TrueEstimate(context)}}, data);
  // Base parameters lie on their columns exactly; what is left is the rounding of B·π.
  CHECK(*Find(values, "base_parameter_relative_error").value < 1e-12);
  const MetricValue& rmse = Find(values, "joint_torque_rmse_nm@validation");
  // 200 samples × 2 joints of σ 0.1: the RMSE has a relative standard deviation of 1/√800 = 3.5 %.
  CHECK(*rmse.value == doctest::Approx(0.1).epsilon(0.15));
  REQUIRE(rmse.components.size() == 2);
  CHECK(*rmse.value * *rmse.value ==
        doctest::Approx(0.5 * (std::pow(rmse.components[0], 2) + std::pow(rmse.components[1], 2))));
}

TEST_CASE("Checkpoints are judged one by one; a failed one does not spoil the others") {
  const LoadedScenario loaded = BoundedScenario(R"({"evaluate_at_s": [0.5, 1]})");
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  std::vector<Estimate> estimates(3, TrueEstimate(context));
  estimates[0].outcome = Outcome::kRankDeficient;
  estimates[0].reason = "too early";
  estimates[1].pi *= 1.5;
  const auto values = evaluator.Evaluate(estimates, context.Run(0));
  CHECK(values.size() == loaded.metrics.size());
  CHECK(Find(values, "joint_torque_clean_rmse_nm@validation@t=0.5").failure ==
        "rank_deficient: too early");
  CHECK(*Find(values, "base_parameter_relative_error@t=1").value == doctest::Approx(0.5));
  CHECK(*Find(values, "base_parameter_relative_error").value < 1e-12);
}

TEST_CASE("A swept cell with other links or without a prior fails those metrics, not the run") {
  const LoadedScenario loaded = PlanarScenario(R"({
      "sensors": {"base_wrench": {"origin": "measured"}},
      "problem": {"parametrisation": {"type": "standard"}, "prior": {}},
      "estimators": {"ols": null, "prior_only": {}},
      "sweep": [{"name": "problem", "values": ["torque", "wrench too", "no prior"], "set": {
        "/problem/equations": [["joint_torque"], ["joint_torque", "base_wrench"], ["joint_torque"]],
        "/problem/prior": [{}, {}, null],
        "/estimators/prior_only": [{"type": "prior_only"}, {"type": "prior_only"}, {"type": "ols"}]}}]})");
  RolloutStore rollouts;
  const auto evaluate = [&](std::size_t cell) {
    const PreparedCell context(loaded, loaded.cells[cell], rollouts);
    return MetricEvaluator(context, loaded.metrics)
        .Evaluate({{TrueEstimate(context)}}, context.Run(0));
  };
  CHECK(Find(evaluate(0), "link_mass_error_fraction").components.size() == 2);
  CHECK(Find(evaluate(1), "link_mass_error_fraction").failure ==
        "this cell has other components than the scenario before its sweep");
  const MetricValue without = Find(evaluate(2), "joint_torque_ratio_to_prior@validation");
  CHECK(without.failure == "no prior");
  CHECK(without.absent);
}

TEST_CASE("A value over all unknowns is there in a cell with others, beside those it shares") {
  const LoadedScenario loaded = PlanarScenario(R"({
      "problem": {"parametrisation": {"friction": ["viscous"], "rotor_inertia": false}},
      "metrics": ["parameter_error_fraction"],
      "sweep": [{"name": "friction", "values": ["fv", "fc", "both"], "set": {
        "/problem/parametrisation/friction": [["viscous"], ["coulomb"],
                                              ["viscous", "coulomb"]]}}]})");
  RolloutStore rollouts;
  const auto at = [&](std::size_t cell) {
    const PreparedCell context(loaded, loaded.cells[cell], rollouts);
    Estimate estimate = TrueEstimate(context);
    estimate.x *= 1.5;
    return Find(MetricEvaluator(context, loaded.metrics).Evaluate({{estimate}}, context.Run(0)),
                "parameter_error_fraction");
  };
  const std::vector<std::string>& labels = loaded.metrics[0].components;
  const auto is_viscous = [](const std::string& label) { return label.ends_with(".fv"); };
  for (const std::size_t cell : {0u, 1u, 2u}) {  // fc: as many unknowns, but others
    CAPTURE(cell);
    const MetricValue value = at(cell);
    CHECK(value.failure.empty());
    CHECK(*value.value == doctest::Approx(0.5));
    REQUIRE(value.components.size() == labels.size());
    for (std::size_t k = 0; k < labels.size(); ++k) {
      CHECK(std::isfinite(value.components[k]) == (cell != 1 || !is_viscous(labels[k])));
    }
  }
  CHECK(std::ranges::count_if(labels, is_viscous) == 2);
}

TEST_CASE("A cell whose problem lacks what a metric is about has none") {
  const LoadedScenario loaded = PlanarScenario(R"({
      "robot": {"force_torque_sensors": {"ft": {"link": "link2", "link_side": "distal"}}},
      "sensors": {"wrench": {"ft": {}}},
      "problem": {"prior": null,
                  "equations": ["joint_torque", {"type": "wrench", "mount": "ft"}]},
      "metrics": ["ft_force_error_n@validation"],
      "sweep": [{"name": "problem", "values": ["torque and wrench", "torque"], "set": {
        "/problem/equations": [["joint_torque", {"type": "wrench", "mount": "ft"}],
                               ["joint_torque"]]}}]})");
  RolloutStore rollouts;
  const auto evaluate = [&](std::size_t cell) {
    const PreparedCell context(loaded, loaded.cells[cell], rollouts);
    return Find(MetricEvaluator(context, loaded.metrics)
                    .Evaluate({{TrueEstimate(context)}}, context.Run(0)),
                "ft_force_error_n@validation");
  };
  CHECK(evaluate(0).failure.empty());
  CHECK(evaluate(1).absent);
  CHECK(evaluate(1).failure == "no equation of the wrench at a force/torque sensor");
}

TEST_CASE("What a scenario cannot have is listed with the reason") {
  const auto absent = [](const LoadedScenario& loaded, const std::string& name) {
    const auto found =
        std::ranges::find(loaded.absent_metrics, name, &std::pair<std::string, std::string>::first);
    return found == loaded.absent_metrics.end() ? "" : found->second;
  };
  const LoadedScenario base =
      PlanarScenario(R"({"sensors": {"joint_torque": {"noise_std_nm": 0}}})");
  CHECK(absent(base, "link_mass_error_fraction") == "base parameters say nothing of single links");
  CHECK(absent(base, "joint_torque_ratio_to_prior") == "no prior");
  CHECK(absent(base, "out_of_bounds_count") ==
        "no bounds: see lower_prior_factor, first_moment_reach_m and bounds");
  CHECK(absent(base, "joint_torque_rmse_over_sigma") == "no σ of the joint torques is declared");
  CHECK(absent(base, "parameter_error_bound") ==
        "no covariance of the prior: see std and relative_std");
  const LoadedScenario bounded = BoundedScenario();
  REQUIRE(bounded.absent_metrics.size() == 1);
  CHECK(absent(bounded, "van_trees_ratio") == kNotDrawnAsDeclared);
}

TEST_CASE("A Bayesian bound where the truth is not drawn from the prior is marked, and no other") {
  const auto doubt_of = [](const LoadedScenario& loaded, std::string_view name) {
    return std::ranges::find(loaded.metrics, name, &RunMetric::name)->doubt;
  };
  const std::string doubt =
      std::string(
          "a bound on means over truths drawn from the prior, not on errors of this one: ") +
      kNotDrawnAsDeclared;
  const LoadedScenario fixed = BoundedScenario(R"({"evaluate_at_s": [0.5]})");
  CHECK(doubt_of(fixed, "parameter_error_bound") == doubt);
  CHECK(doubt_of(fixed, "link_mass_error_bound@t=0.5") == doubt);
  CHECK(doubt_of(fixed, "base_parameter_error_bound").empty());
  CHECK(doubt_of(fixed, "parameter_error_fraction").empty());

  constexpr const char* kDrawn = R"({"problem": {
      "parametrisation": {"friction": [], "rotor_inertia": false},
      "prior": {"relative_std": 0.2, "mass_scale": 1, "inertia_scale": 1, "com_error": null,
                "mass_error": {"type": "declared"}, "inertia_error": {"type": "declared"},
                "draw": "trial"}}})";
  CHECK(doubt_of(BoundedScenario(kDrawn), "parameter_error_bound").empty());
  Json swept = ParseJson(kDrawn, "test");
  swept["sweep"] =
      ParseJson(R"([{"name": "prior", "set": {"/problem/prior/mass_scale": [1, 1.2]}}])", "test");
  CHECK(doubt_of(BoundedScenario(swept.dump().c_str()), "parameter_error_bound") ==
        "in prior 1.2: " + doubt);
}

}  // namespace
}  // namespace idbench
