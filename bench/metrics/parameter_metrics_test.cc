#include "bench/metrics/parameter_metrics.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "bench/metrics/metric_value_test.h"
#include "bench/metrics/metrics.h"
#include "bench/metrics/planar_metrics_test.h"
#include "robots/dynamics/parameters/consistent_fit.h"

namespace idbench {
namespace {

TEST_CASE("A parameter error is weighed by the torque it makes, whatever the base columns are") {
  const LoadedScenario loaded = PlanarScenario();
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
  const LoadedScenario loaded = PlanarScenario();
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
  const LoadedScenario loaded = PlanarScenario(
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

TEST_CASE("A base wrench weighs parameters too, rows that nothing moves aside") {
  const LoadedScenario loaded =
      PlanarScenario(R"({"problem": {"equations": ["joint_torque", "base_wrench"],
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

}  // namespace
}  // namespace idbench
