#include "bench/metrics.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <cmath>

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
Estimate Truth(const CellContext& context) {
  Estimate estimate;
  estimate.x = context.problem().parameters.FromPi(*context.true_pi());
  estimate.pi = context.problem().parameters.Pi(estimate.x);
  return estimate;
}

const MetricValue& Find(const std::vector<MetricValue>& values, const std::string& name) {
  for (const MetricValue& value : values) {
    if (value.name == name) return value;
  }
  throw std::out_of_range(name);
}

TEST_CASE("The truth has no parameter error, and a torque error that is the noise") {
  const LoadedScenario loaded = Scenario2();
  RolloutStore rollouts;
  const CellContext context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const TrialData data = context.Run(0);
  const auto values = evaluator.Evaluate(Truth(context), data);
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
  const CellContext context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const TrialData data = context.Run(1);
  Estimate nothing;  // predicts no torque at all
  nothing.x = Eigen::VectorXd::Zero(context.problem().parameters.size());
  nothing.pi = context.problem().parameters.Pi(nothing.x);
  const auto values = evaluator.Evaluate(nothing, data);
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
  const CellContext context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  Estimate estimate = Truth(context);
  estimate.pi *= 1.01;
  const auto values = evaluator.Evaluate(estimate, context.Run(0));
  CHECK(*Find(values, "base_parameter_relative_error").value ==
        doctest::Approx(0.01).epsilon(1e-9));
}

TEST_CASE("Coverage counts intervals that hold the truth, and fails without a covariance") {
  const LoadedScenario loaded = Scenario2();
  RolloutStore rollouts;
  const CellContext context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const TrialData data = context.Run(0);
  Estimate estimate = Truth(context);
  const MetricValue without = Find(evaluator.Evaluate(estimate, data), "coverage95");
  CHECK_FALSE(without.value);
  CHECK(without.failure == "the method states no covariance");

  const Eigen::Index n = estimate.x.size();
  estimate.covariance = Eigen::MatrixXd::Identity(n, n);
  estimate.x[0] += 1.95;  // within 1.96 σ
  estimate.x[1] -= 1.97;  // outside
  const MetricValue some = Find(evaluator.Evaluate(estimate, data), "coverage95");
  CHECK(*some.count == static_cast<std::size_t>(n));
  CHECK(*some.value == doctest::Approx(1.0 - 1.0 / static_cast<double>(n)));
}

TEST_CASE("With a prior, coverage counts only the directions that the data taught") {
  const LoadedScenario loaded = Scenario2(
      R"({"problem": {"prior": {"relative_std": 0.5},
                      "parametrisation": {"friction": [], "rotor_inertia": false}}})");
  RolloutStore rollouts;
  const CellContext context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const Eigen::MatrixXd prior = *context.problem().parameters.prior->covariance;
  const Eigen::LLT<Eigen::MatrixXd> root(prior);
  REQUIRE(root.info() == Eigen::Success);
  Eigen::VectorXd left = Eigen::VectorXd::Ones(prior.rows());
  left[0] = 0.01;  // two directions were taught, the others were not
  left[1] = 0.24;
  Estimate estimate = Truth(context);
  const Eigen::MatrixXd L = root.matrixL();
  estimate.covariance = L * left.asDiagonal() * L.transpose();
  const MetricValue value = Find(evaluator.Evaluate(estimate, context.Run(0)), "coverage95");
  CHECK(*value.count == 2);
  CHECK(*value.value == 1.0);
}

TEST_CASE("A metric whose data are not there fails with the reason") {
  const LoadedScenario loaded = Scenario2();
  RolloutStore rollouts;
  const CellContext context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  TrialData data = context.Run(0);
  Dataset empty("validation", Role::kValidation);
  data.datasets[1] = empty;
  const auto values = evaluator.Evaluate(Truth(context), data);
  const MetricValue& rmse = Find(values, "joint_torque_rmse_nm@validation");
  CHECK_FALSE(rmse.value);
  CHECK(rmse.failure.find("joint_position") != std::string::npos);
}

}  // namespace
}  // namespace idbench
