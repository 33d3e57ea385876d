#include <doctest/doctest.h>

#include <Eigen/Cholesky>

#include "bench/biped_test.h"
#include "bench/metrics/metric_value_test.h"
#include "bench/metrics/metrics.h"
#include "bench/metrics/parameter_metrics.h"
#include "bench/metrics/planar_metrics_test.h"
#include "bench/trial/labelled_estimators.h"

/// Metrics of what an estimate claims to know.
namespace idbench {
namespace {

/// Without noise there is no bound that tells what data teach.
constexpr const char* kExact = R"({"sensors": {"joint_torque": {"noise_std_nm": 0}}})";

TEST_CASE("Coverage counts intervals that hold the truth, and fails without a covariance") {
  const LoadedScenario loaded = PlanarScenario(kExact);
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

TEST_CASE("Without a bound, coverage counts only the directions that the method learned") {
  const LoadedScenario loaded = PlanarScenario(
      R"({"sensors": {"joint_torque": {"noise_std_nm": 0}}, "problem": {"prior": {"relative_std": 0.5},
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

TEST_CASE("nees is eᵀP⁻¹e over the unknowns if the data determine all") {
  const LoadedScenario loaded = PlanarScenario(R"({"problem": {"prior": {"relative_std": 0.5}}})");
  const LoadedScenario without = PlanarScenario();
  const LoadedScenario exact = PlanarScenario(
      R"({"sensors": {"joint_torque": {"noise_std_nm": 0}}, "problem": {"prior": {"relative_std": 0.5}}})");
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
  CHECK(nees(loaded, 0.3).failure ==
        "by prior alone: nowhere is the method's σ below half that of its prior");
  CHECK(*nees(exact, 0.2).value == doctest::Approx(4.0).epsilon(1e-9));
  CHECK(nees(exact, 0.3).failure == "the data taught no direction");
}

TEST_CASE("What a method's own prior freezes is not counted, what it claims to know is") {
  OneCell cell(PlanarScenario(R"({"problem": {"prior": {"relative_std": 0.5}}})"));
  const Parametrisation& parameters = cell.context.problem().parameters;
  const Eigen::Index n = parameters.size();
  Estimate estimate = TrueEstimate(cell.context);
  Eigen::MatrixXd own = *parameters.prior->covariance;
  own.row(0) *= 1e-10;  // an unknown whose prior is 0 but for rounding
  own.col(0) *= 1e-10;
  estimate.own_prior = {own};
  estimate.covariance = 0.2 * own;
  const Eigen::MatrixXd L = estimate.covariance->bottomRightCorner(n - 1, n - 1).llt().matrixL();
  estimate.x.tail(n - 1) += L * Eigen::VectorXd::Constant(n - 1, 2.0);
  estimate.pi = parameters.Pi(estimate.x);
  const MetricValue nees = cell.Metric(estimate, "nees");
  REQUIRE_MESSAGE(nees.value, nees.failure);
  CHECK(*nees.count == static_cast<std::size_t>(n - 1));
  CHECK(*nees.value == doctest::Approx(4.0).epsilon(1e-6));

  estimate.covariance->setZero();
  CHECK(cell.Metric(estimate, "nees").failure == "the covariance is not positive definite");
  CHECK(*cell.Metric(estimate, "coverage95").value == 0.0);
  // As where digits are lost beside a prior that is far wider: no interval is one.
  *estimate.covariance = -1e-3 * own;
  for (const char* metric : {"nees", "coverage95"}) {
    CAPTURE(metric);
    CHECK(cell.Metric(estimate, metric).failure == "the covariance is not positive definite");
  }
}

/// Torques of a given noise, and methods with priors of their own.
LoadedScenario Methods(double sigma_nm) {
  return PlanarScenario(
      Json{{"robot",
            {{"truth",
              {{"friction", {{"viscous_nms_rad", 0}, {"coulomb_nm", 0}, {"offset_nm", 0}}},
               {"rotor_inertia_kgm2", 0}}}}},
           {"sensors", {{"joint_torque", {{"noise_std_nm", sigma_nm}}}}},
           {"problem",
            {{"parametrisation",
              {{"type", "standard"}, {"friction", Json::array()}, {"rotor_inertia", false}}},
             {"prior", {{"relative_std", 0.3}}}}},
           {"estimators",
            {{"ols", nullptr},
             {"prior_only", Json::object()},
             {"map", Json::object()},
             {"rls", Json::object()},
             {"scaled_kf", Json::object()},
             {"entropic_filter", Json::object()},
             {"log_cholesky_ekf", {{"process_noise_per_s", 1e-3}}}}},
           {"metrics", {"nees", "coverage95"}}}
          .dump()
          .c_str());
}

TEST_CASE("What the data taught is the same for all methods, whatever their priors") {
  for (const double sigma_nm : {1e6, 0.01}) {
    CAPTURE(sigma_nm);
    OneCell cell(Methods(sigma_nm));
    std::optional<std::size_t> count;
    for (const auto& [label, method] : MakeEstimators(cell.context.scenario())) {
      CAPTURE(label);
      const Estimate estimate = method->Run(cell.context.problem(), cell.data.datasets);
      REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
      const MetricValue nees = cell.Metric(estimate, "nees");
      if (sigma_nm > 1.0) {
        CHECK(nees.failure == "the data taught no direction");
      } else if (label == "prior_only") {
        CHECK(nees.failure ==
              "by prior alone: nowhere is the method's σ below half that of its prior");
      } else {
        REQUIRE_MESSAGE(nees.value, nees.failure);
        CHECK(*nees.count == count.value_or(*nees.count));
        count = *nees.count;
      }
    }
    CHECK(count.value_or(1) > 0);
  }
}

TEST_CASE("A covariance that is not positive definite has intervals, but no nees") {
  OneCell cell(PlanarScenario(kExact));
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
