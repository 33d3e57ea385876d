#include "bench/metrics/simulation_metrics.h"

#include <doctest/doctest.h>

#include <cmath>

#include "bench/biped_test.h"
#include "bench/metrics/motion_variation.h"

namespace idbench {
namespace {

const std::vector<int> kAllCoordinates = {0, 1, 2};

TEST_CASE("The truth, replayed, is where the true robot was") {
  OneCell biped(BipedScenario());
  const Estimate truth = biped.EstimateOf(biped.true_unknowns());
  for (const std::string experiment : {"identification", "validation"}) {
    CAPTURE(experiment);
    // One Runge-Kutta step a sample against 16 of them: 1.2e-10 and 7e-13; the rates 3.6e-9.
    const MetricValue angles = biped.Metric(truth, "simulation_sse_angles@" + experiment);
    CHECK(*angles.value < 1e-9);
    CHECK(angles.components.size() == 3);
    const MetricValue rates = biped.Metric(truth, "simulation_sse_rates@" + experiment);
    CHECK(*rates.value < 1e-8);
    CHECK(*biped.Metric(truth, "simulation_sse_states@" + experiment).value ==
          *angles.value + *rates.value);
  }
}

TEST_CASE("A small error of the parameters runs away as the motion's first variation says") {
  OneCell biped(BipedScenario());
  const Eigen::VectorXd beta = biped.true_unknowns();
  // All errors are 1e-4 of the values, of alternating sign, so that second order adds about as much
  // and the integration's error, 1e-10 in the sum, counts for nothing.
  Eigen::VectorXd change = 1e-4 * beta;
  for (Eigen::Index k = 1; k < change.size(); k += 2) change[k] = -change[k];
  const PlanarLagrangian& lagrangian = *biped.context.problem().parameters.lagrangian();
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string experiment = biped.data.datasets[i].label();
    Eigen::VectorXd expected = Eigen::VectorXd::Zero(6);
    VaryMotion(lagrangian, beta, *biped.data.clean[i], kAllCoordinates,
               [&](Eigen::Index, const Eigen::MatrixXd& state, const Eigen::MatrixXd&) {
                 expected += (state.leftCols(beta.size()) * change).cwiseAbs2();
               });
    const Estimate wrong = biped.EstimateOf(beta + change);
    const MetricValue angles = biped.Metric(wrong, "simulation_sse_angles@" + experiment);
    const MetricValue rates = biped.Metric(wrong, "simulation_sse_rates@" + experiment);
    for (int j = 0; j < 3; ++j) {
      CHECK(angles.components[static_cast<std::size_t>(j)] ==
            doctest::Approx(expected[j]).epsilon(0.01));
      CHECK(rates.components[static_cast<std::size_t>(j)] ==
            doctest::Approx(expected[3 + j]).epsilon(0.01));
    }
  }
}

TEST_CASE("Standard parameters are replayed as the Lagrangian's that stand for them") {
  OneCell by_beta(BipedScenario());
  OneCell by_pi(BipedScenario(
      R"({"problem": {"parametrisation": {"type": "standard"}}, "estimators": {"prior_only": {}}})"));
  const Eigen::VectorXd pi = 1.01 * *by_pi.data.true_pi();
  const Parametrisation& standard = by_pi.context.problem().parameters;
  const Parametrisation& lagrangian = by_beta.context.problem().parameters;
  const char* const name = "simulation_sse_states@identification";
  const double a = *by_pi.Metric(by_pi.EstimateOf(standard.FromPi(pi)), name).value;
  const double b = *by_beta.Metric(by_beta.EstimateOf(lagrangian.FromPi(pi)), name).value;
  CHECK(a > 1e-3);
  CHECK(a == doctest::Approx(b).epsilon(1e-9));  // rounding, as the motion makes it grow
}

TEST_CASE("A replay that runs away is a failed metric, and says where") {
  OneCell biped(BipedScenario());
  const char* const name = "simulation_sse_angles@identification";
  const Eigen::VectorXd beta = biped.true_unknowns();
  CHECK(biped.Metric(biped.EstimateOf(-beta), name).failure ==
        "the replay's mass matrix is not positive definite at 0 s");
  // Next to no inertia and weight under the same torque.
  CHECK(biped.Metric(biped.EstimateOf(1e-6 * beta), name).failure ==
        "the replay's state diverged at 0.01 s");
}

TEST_CASE("Metrics that parameters of a planar Lagrangian do not have are absent, and say why") {
  const LoadedScenario biped = BipedScenario(R"({"metrics": ["simulation_sse_angles@validation",
      "crlb_ratio", "link_mass_kg", "base_parameter_relative_error"]})");
  REQUIRE(biped.metrics.size() == 2);
  CHECK(biped.metrics[0] ==
        RunMetric{"simulation_sse_angles@validation", "rad²", {"q1", "q2", "q3"}, Better::kLower});
  CHECK(
      biped.absent_metrics ==
      Labelled<std::string>{
          {"crlb_ratio",
           "no such bound for the parameters of a planar Lagrangian, whose state is not measured: "
           "see simulation_sse_angles_bound"},
          {"link_mass_kg", "the parameters of a planar Lagrangian say nothing of single links"}});
  // The others weigh β by the torques that it predicts.
  OneCell cell(BipedScenario(R"({"metrics": ["base_parameter_relative_error",
      "mass_matrix_positive_fraction", "parameter_error_fraction", "joint_torque_clean_rmse_nm"]})"));
  const Eigen::VectorXd beta = cell.true_unknowns();
  CHECK(*cell.Metric(cell.EstimateOf(beta), "base_parameter_relative_error").value == 0.0);
  const Estimate heavy = cell.EstimateOf(1.01 * beta);
  CHECK(*cell.Metric(heavy, "base_parameter_relative_error").value == doctest::Approx(0.01));
  CHECK(*cell.Metric(heavy, "parameter_error_fraction").value == doctest::Approx(0.01));
  CHECK(*cell.Metric(heavy, "mass_matrix_positive_fraction").value == 1.0);
  CHECK(*cell.Metric(cell.EstimateOf(-beta), "mass_matrix_positive_fraction").value == 0.0);
  const Eigen::MatrixXd& tau = (*cell.data.clean[1])[kJointTorque];
  CHECK(*cell.Metric(heavy, "joint_torque_clean_rmse_nm@validation").value ==
        doctest::Approx(0.01 * tau.norm() / std::sqrt(double{3 * 69})).epsilon(1e-6));
}

TEST_CASE("Captions tell of the sensors that a walker's estimators read, not of its equations") {
  const auto marks = [](const char* more) {
    std::vector<std::string> told = OneCell(BipedScenario(more)).context.marks();
    std::erase_if(told, [](const std::string& mark) { return mark.starts_with("the prior is"); });
    return told;
  };
  CHECK(marks("{}") ==
        std::vector<std::string>{
            "exact (oracle) channels: joint_acceleration, joint_torque, joint_velocity",
            "true σ of the position sensors declared",
            "true σ of the motor torque sensors declared"});
  CHECK(marks(R"({"sensors": {"actuator_torque": {"declared_sigma_nm": 1}}})").back() ==
        "not the true σ of the motor torque sensors declared");
}

}  // namespace
}  // namespace idbench
