#include "bench/metrics/metrics.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "bench/metrics/metric_value_test.h"
#include "robots/dynamics/parameters/consistent_fit.h"
#include "scenarios/drawn_as_declared.h"
#include "scenarios/options/json.h"
#include "scenarios/options/text_form_test.h"
#include "scenarios/problem/problem_builder.h"

namespace idbench {
namespace {

/// planar2, moved exactly, torque noise 0.1 N·m, base parameters with all joint parameters but
/// offset.
LoadedScenario Scenario2(const char* more = "{}") {
  Json json = ParseJson(R"({
    "name": "m", "robot": {"model": "planar2"}, "control": {"type": "exact_replay"},
    "experiments": {
      "identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "candidates": 1}},
      "validation": {"role": "validation",
        "motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "stream": "validation", "candidates": 1}}},
    "sensors": {"joint_torque": {"noise_std_nm": 0.1}},
    "problem": {"parametrisation": {"friction": ["viscous", "coulomb"], "rotor_inertia": true}},
    "estimators": {"ols": {}}, "trials": 2})",
                        "test");
  json.merge_patch(ParseJson(more, "more"));
  return LoadScenario(json, "test", {}, AllMetrics());
}

/// The estimate that is the truth.
Estimate TrueEstimate(const PreparedCell& context) {
  Estimate estimate;
  estimate.x = context.problem().parameters.FromPi(*context.Run(0).true_pi());
  estimate.pi = context.problem().parameters.Pi(estimate.x);
  return estimate;
}

TEST_CASE("Metrics are described in one form") {
  for (const MetricInfo& metric : AllMetrics()) {
    CAPTURE(metric.name);
    CHECK(FormFault(metric.doc, metric.name) == "");
  }
}

TEST_CASE("The truth has no parameter error, and a torque error that is the noise") {
  const LoadedScenario loaded = Scenario2();
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

TEST_CASE("Torque errors are those of their definitions") {
  const LoadedScenario loaded = Scenario2();
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const TrialData data = context.Run(1);
  Estimate nothing;  // predicts no torque at all
  nothing.x = Eigen::VectorXd::Zero(context.problem().parameters.size());
  nothing.pi = context.problem().parameters.Pi(nothing.x);
  const auto values = evaluator.Evaluate({{nothing}}, data);
  const Eigen::MatrixXd& tau = data.datasets[1].Get(kJointTorque).samples;
  const auto n = static_cast<double>(tau.rows());
  CHECK(*Find(values, "joint_torque_relative_error@validation").value == doctest::Approx(1.0));
  CHECK(*Find(values, "joint_torque_rmse_nm@validation").value ==
        doctest::Approx(tau.norm() / std::sqrt(2.0 * n)));
  const MetricValue& nrmse = Find(values, "joint_torque_nrmse@validation");
  const Eigen::VectorXd centred = tau.col(0).array() - tau.col(0).mean();
  CHECK(nrmse.components[0] == doctest::Approx(std::sqrt(tau.col(0).squaredNorm() / n) /
                                               std::sqrt(centred.squaredNorm() / (n - 1.0))));
  CHECK(*nrmse.value == doctest::Approx(0.5 * (nrmse.components[0] + nrmse.components[1])));
  CHECK(*Find(values, "base_parameter_relative_error").value == doctest::Approx(1.0));
}

TEST_CASE("A parameter error is weighed by the torque it makes, whatever the base columns are") {
  const LoadedScenario loaded = Scenario2();
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  Estimate estimate = TrueEstimate(context);
  estimate.pi *= 1.01;
  const auto values = evaluator.Evaluate({{estimate}}, context.Run(0));
  CHECK(*Find(values, "base_parameter_relative_error").value ==
        doctest::Approx(0.01).epsilon(1e-9));
}

TEST_CASE("Coverage counts intervals that hold the truth, and fails without a covariance") {
  const LoadedScenario loaded = Scenario2();
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const TrialData data = context.Run(0);
  Estimate estimate = TrueEstimate(context);
  const MetricValue without = Find(evaluator.Evaluate({{estimate}}, data), "coverage95");
  CHECK_FALSE(without.value);
  CHECK(without.failure == "the method states no covariance");

  const Eigen::Index n = estimate.x.size();
  estimate.covariance = Eigen::MatrixXd::Identity(n, n);
  estimate.x[0] += 1.95;  // within 1.96 σ
  estimate.x[1] -= 1.97;  // outside
  const MetricValue some = Find(evaluator.Evaluate({{estimate}}, data), "coverage95");
  CHECK(*some.count == static_cast<std::size_t>(n));
  CHECK(*some.value == doctest::Approx(1.0 - 1.0 / static_cast<double>(n)));
}

TEST_CASE("With a prior, coverage counts only the directions that the data taught") {
  const LoadedScenario loaded = Scenario2(
      R"({"problem": {"prior": {"relative_std": 0.5},
                      "parametrisation": {"friction": [], "rotor_inertia": false}}})");
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const Eigen::MatrixXd prior = *context.problem().parameters.prior->covariance;
  const Eigen::LLT<Eigen::MatrixXd> root(prior);
  REQUIRE(root.info() == Eigen::Success);
  Eigen::VectorXd left = Eigen::VectorXd::Ones(prior.rows());
  left[0] = 0.01;  // two directions were taught, the others were not
  left[1] = 0.24;
  Estimate estimate = TrueEstimate(context);
  const Eigen::MatrixXd L = root.matrixL();
  estimate.covariance = L * left.asDiagonal() * L.transpose();
  const MetricValue value = Find(evaluator.Evaluate({{estimate}}, context.Run(0)), "coverage95");
  CHECK(*value.count == 2);
  CHECK(*value.value == 1.0);
}

/// Scenario2(), but for masses and moments with a prior 20 % too heavy, bounded by 0 and twice the
/// prior.
LoadedScenario BoundedScenario(const char* more = "{}") {
  Json patch = ParseJson(R"({"problem": {
      "parametrisation": {"type": "masses_and_moments", "friction": ["viscous", "coulomb"], "rotor_inertia": true,
                          "lower_prior_factor": 0, "upper_prior_factor": 2},
      "prior": {"mass_scale": 1.2, "inertia_scale": 1.2, "relative_std": 0.5}}})",
                         "patch");
  patch.merge_patch(ParseJson(more, "more"));
  return Scenario2(patch.dump().c_str());
}

TEST_CASE("Clean errors leave the noise out: nothing is left of the truth, and 1 of the prior") {
  const LoadedScenario loaded = BoundedScenario();
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const TrialData data = context.Run(0);
  const auto of_truth = evaluator.Evaluate({{TrueEstimate(context)}}, data);
  // MuJoCo's inverse dynamics against ours: rounding of torques up to 100 N·m.
  CHECK(*Find(of_truth, "joint_torque_clean_rmse_nm@validation").value < 1e-11);
  CHECK(*Find(of_truth, "joint_torque_ratio_to_prior@validation").value < 1e-11);
  const MetricValue over_sigma = Find(of_truth, "joint_torque_rmse_over_sigma@validation");
  // σ is 0.1 N·m for both joints; the RMSE of 200 samples has a relative deviation of 5 %.
  REQUIRE(over_sigma.components.size() == 2);
  CHECK(over_sigma.components[1] ==
        doctest::Approx(Find(of_truth, "joint_torque_rmse_nm@validation").components[1] / 0.1));
  CHECK(*over_sigma.value == doctest::Approx(1.0).epsilon(0.15));

  Estimate prior;
  prior.x = context.problem().parameters.prior->mean;
  prior.pi = context.problem().parameters.Pi(prior.x);
  const auto of_prior = evaluator.Evaluate({{prior}}, data);
  const MetricValue ratio = Find(of_prior, "joint_torque_ratio_to_prior@identification");
  CHECK(ratio.components == std::vector<double>{1.0, 1.0});
  // Twice the error, twice the ratio.
  Estimate twice = prior;
  twice.pi += prior.pi - *context.Run(0).true_pi();
  CHECK(
      *Find(evaluator.Evaluate({{twice}}, data), "joint_torque_ratio_to_prior@validation").value ==
      doctest::Approx(2.0).epsilon(1e-9));
}

TEST_CASE("Link metrics name every link: masses, and whether a body could have the parameters") {
  const LoadedScenario loaded = BoundedScenario();
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const auto metric =
      std::ranges::find(loaded.metrics, "link_mass_error_fraction", &RunMetric::name);
  REQUIRE(metric != loaded.metrics.end());
  CHECK(metric->components == std::vector<std::string>{"link1", "link2"});
  Estimate estimate = TrueEstimate(context);
  const ParameterLayout layout(2);
  estimate.pi[layout.Body(0)] *= 0.9;  // errors count without their signs
  estimate.pi[layout.Body(1)] *= 1.3;
  estimate.pi[layout.Body(1) + 4] = -1.0;  // a negative moment
  const auto values = evaluator.Evaluate({{estimate}}, context.Run(0));
  const MetricValue& mass = Find(values, "link_mass_error_fraction");
  CHECK(mass.components[0] == doctest::Approx(0.1));
  CHECK(mass.components[1] == doctest::Approx(0.3));
  CHECK(*mass.value == doctest::Approx(0.2));
  CHECK(*Find(values, "negative_moment_count").value == 1.0);
  CHECK(Find(values, "link_mass_kg").components[1] == estimate.pi[layout.Body(1)]);
  const MetricValue& consistent = Find(values, "consistent_link_fraction");
  CHECK(consistent.components[1] == 0.0);
  CHECK(*consistent.value == doctest::Approx(0.5 * consistent.components[0]));
  // Negative exactly where no body has the parameters, and overall the least.
  const MetricValue& margin = Find(values, "pseudo_inertia_margin");
  CHECK(margin.components[0] ==
        PseudoInertiaMargin(estimate.pi.segment<kInertialCount>(layout.Body(0))));
  CHECK(margin.components[1] < 0.0);
  CHECK(*margin.value == margin.components[1]);
}

TEST_CASE("Innovations and sums of squares that a method states are metrics, else they fail") {
  const LoadedScenario loaded = BoundedScenario();
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const TrialData data = context.Run(0);
  Estimate estimate = TrueEstimate(context);
  CHECK(Find(evaluator.Evaluate({{estimate}}, data), "nis").failure ==
        "the method states no innovations");
  estimate.diagnostics["normalised_innovation_squared"] = 1.25;
  CHECK(*Find(evaluator.Evaluate({{estimate}}, data), "nis").value == 1.25);
  CHECK(Find(evaluator.Evaluate({{estimate}}, data), "chi_square").failure ==
        "the method states no sum of squares");
  estimate.diagnostics["chi_square"] = 170.5;
  estimate.diagnostics["degrees_of_freedom"] = 187.0;
  const MetricValue squares = Find(evaluator.Evaluate({{estimate}}, data), "chi_square");
  CHECK(*squares.value == 170.5);
  CHECK(*squares.count == 187);
}

TEST_CASE("The mass matrix of the truth is positive definite, and one of negative mass nowhere") {
  const LoadedScenario loaded = BoundedScenario();
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const TrialData data = context.Run(0);
  Estimate estimate = TrueEstimate(context);
  CHECK(*Find(evaluator.Evaluate({{estimate}}, data), "mass_matrix_positive_fraction").value ==
        1.0);
  estimate.pi *= -1.0;
  CHECK(*Find(evaluator.Evaluate({{estimate}}, data), "mass_matrix_positive_fraction").value ==
        0.0);
}

TEST_CASE("Unknowns beyond their bounds are counted, and those that a sigmoid would hold there") {
  const LoadedScenario loaded = BoundedScenario();
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const TrialData data = context.Run(0);
  const Parametrisation& parameters = context.problem().parameters;
  Estimate estimate;
  estimate.x = parameters.prior->mean;
  const auto x_at = [&](Eigen::Index k, double argument) {
    return parameters.lower[k] +
           (parameters.upper[k] - parameters.lower[k]) / (1.0 + std::exp(-argument));
  };
  estimate.x[0] = -0.1;            // below
  estimate.x[1] = x_at(1, 4.01);   // inside, but flat
  estimate.x[2] = x_at(2, -3.99);  // inside
  estimate.x[3] = 1.001 * parameters.upper[3];
  estimate.pi = parameters.Pi(estimate.x);
  const auto values = evaluator.Evaluate({{estimate}}, data);
  CHECK(*Find(values, "out_of_bounds_count").value == 2.0);
  CHECK(*Find(values, "out_of_bounds_mass_count").value == 1.0);
  CHECK(*Find(values, "saturated_count").value == 3.0);
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

TEST_CASE("A base wrench weighs parameters too, rows that nothing moves aside") {
  const LoadedScenario loaded =
      Scenario2(R"({"problem": {"equations": ["joint_torque", "base_wrench"],
      "parametrisation": {"type": "standard"}, "prior": {}}, "estimators": {"ols": null, "prior_only": {}},
      "sensors": {"base_wrench": {"origin": "measured"}}})");
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const TrialData data = context.Run(0);
  Estimate estimate = TrueEstimate(context);
  CHECK(*Find(evaluator.Evaluate({{estimate}}, data), "base_parameter_relative_error").value <
        1e-12);
  // The base's own mass shows in the wrench alone.
  estimate.pi[ParameterLayout(2).Body(-1)] += 1.0;
  const double error =
      *Find(evaluator.Evaluate({{estimate}}, data), "base_parameter_relative_error").value;
  CHECK(error > 0.01);
  CHECK(std::isfinite(error));
}

TEST_CASE("A swept cell with other links or without a prior fails those metrics, not the run") {
  const LoadedScenario loaded = Scenario2(R"({
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
  CHECK(Find(evaluate(2), "joint_torque_ratio_to_prior@validation").failure == "no prior");
}

TEST_CASE("What a scenario cannot have is listed with the reason") {
  const auto absent = [](const LoadedScenario& loaded, const std::string& name) {
    const auto found =
        std::ranges::find(loaded.absent_metrics, name, &std::pair<std::string, std::string>::first);
    return found == loaded.absent_metrics.end() ? "" : found->second;
  };
  const LoadedScenario base = Scenario2(R"({"sensors": {"joint_torque": {"noise_std_nm": 0}}})");
  CHECK(absent(base, "link_mass_error_fraction") == "base parameters say nothing of single links");
  CHECK(absent(base, "joint_torque_ratio_to_prior") == "no prior");
  CHECK(absent(base, "out_of_bounds_count") ==
        "no bounds: see lower_prior_factor, first_moment_reach_m and bounds");
  CHECK(absent(base, "joint_torque_rmse_over_sigma") == "no σ of the joint torques is declared");
  CHECK(absent(base, "parameter_error_bound") == "no covariance of the prior: see relative_std");
  const LoadedScenario bounded = BoundedScenario();
  REQUIRE(bounded.absent_metrics.size() == 1);
  CHECK(absent(bounded, "van_trees_ratio") == kNotDrawnAsDeclared);
}

TEST_CASE("A metric whose data are not there fails with the reason") {
  const LoadedScenario loaded = Scenario2();
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  TrialData data = context.Run(0);
  Dataset empty("validation", Role::kValidation);
  data.datasets[1] = empty;
  const auto values = evaluator.Evaluate({{TrueEstimate(context)}}, data);
  const MetricValue& rmse = Find(values, "joint_torque_rmse_nm@validation");
  CHECK_FALSE(rmse.value);
  CHECK(rmse.failure.find("joint_position") != std::string::npos);
}

}  // namespace
}  // namespace idbench
