#include <doctest/doctest.h>

#include <Eigen/Cholesky>

#include "bench/biped_test.h"
#include "bench/metrics/metric_value_test.h"
#include "bench/metrics/metrics.h"
#include "bench/metrics/parameter_metrics.h"
#include "bench/metrics/planar_metrics_test.h"

/// Metrics of what an estimate claims to know.
namespace idbench {
namespace {

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

TEST_CASE("nees is eᵀP⁻¹e over the unknowns, and along taught directions where there is a prior") {
  const LoadedScenario loaded = PlanarScenario(R"({"problem": {"prior": {"relative_std": 0.5}}})");
  const LoadedScenario without = PlanarScenario();
  RolloutStore rollouts;
  const auto nees = [&](const LoadedScenario& scenario, double left) {
    const PreparedCell context(scenario, scenario.cells[0], rollouts);
    MetricEvaluator evaluator(context, scenario.metrics);
    const Parametrisation& parameters = context.problem().parameters;
    const Eigen::Index n = parameters.size();
    Eigen::MatrixXd P = Eigen::MatrixXd::Identity(n, n);
    if (parameters.prior) P = *parameters.prior->covariance;
    P *= left;
    Estimate estimate;
    estimate.covariance = P;
    // Two σ along each column of P's root: eᵀP⁻¹e = 4n.
    const Eigen::MatrixXd L = P.llt().matrixL();
    estimate.x =
        parameters.FromPi(*context.Run(0).true_pi()) + L * Eigen::VectorXd::Constant(n, 2.0);
    estimate.pi = parameters.Pi(estimate.x);
    return Find(evaluator.Evaluate({{estimate}}, context.Run(0)), "nees");
  };
  CHECK(*nees(without, 1.0).value == doctest::Approx(4.0).epsilon(1e-9));
  CHECK(*nees(loaded, 0.2).value == doctest::Approx(4.0).epsilon(1e-9));
  CHECK(nees(loaded, 0.3).failure == "the data taught no direction");
}

TEST_CASE("A covariance that is not positive definite has intervals, but no nees") {
  OneCell cell(PlanarScenario());
  Estimate estimate = TrueEstimate(cell.context);
  const Eigen::Index n = estimate.x.size();
  estimate.covariance = Eigen::MatrixXd::Identity(n, n);
  SUBCASE("a correlation above 1") {
    (*estimate.covariance)(0, 1) = (*estimate.covariance)(1, 0) = 2.0;
    CHECK(*cell.Metric(estimate, "coverage95").value == 1.0);
  }
  SUBCASE("an unknown without any doubt") {
    (*estimate.covariance)(0, 0) = 0.0;
    CHECK(*cell.Metric(estimate, "coverage95").value == 1.0);
    estimate.x[0] += 1e-3;  // and wrong
    CHECK(*cell.Metric(estimate, "coverage95").value ==
          doctest::Approx(1.0 - 1.0 / static_cast<double>(n)));
  }
  CHECK(cell.Metric(estimate, "nees").failure == "the covariance is not positive definite");
}

TEST_CASE("A truth that had to be made physical is no draw from the prior") {
  OneCell cell(BoundedScenario(R"({
      "robot": {"truth": {"friction": {"viscous_nms_rad": 0, "coulomb_nm": 0, "offset_nm": 0}, "rotor_inertia_kgm2": 0}},
      "problem": {"parametrisation": {"friction": [], "rotor_inertia": false},
        "prior": {"mass_scale": 1, "inertia_scale": 1, "relative_std": 0.2, "draw": "trial",
                  "mass_error": {"type": "declared"}, "inertia_error": {"type": "declared"}}}})"));
  const Estimate estimate = TrueEstimate(cell.context);
  CHECK(*cell.Metric(estimate, "van_trees_ratio").value < 1e-20);  // rounding of x(π(x))
  const HashedRobot robot(cell.loaded.robot);
  Truth truth = MakeTruth(robot, cell.context.scenario(), cell.loaded.scenario.seed, 0);
  truth.made_physical = {"link1"};
  cell.data.truth = &truth;
  CHECK(cell.Metric(estimate, "van_trees_ratio").failure == "the truth was made physical");
}

}  // namespace
}  // namespace idbench
