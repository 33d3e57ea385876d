#include "bench/metrics/torque_metrics.h"

#include <doctest/doctest.h>

#include <cmath>

#include "bench/metrics/metric_value_test.h"
#include "bench/metrics/metrics.h"
#include "bench/metrics/planar_metrics_test.h"

namespace idbench {
namespace {

TEST_CASE("Torque errors are those of their definitions") {
  const LoadedScenario loaded = PlanarScenario();
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

TEST_CASE("A metric whose data are not there fails with the reason") {
  const LoadedScenario loaded = PlanarScenario();
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
