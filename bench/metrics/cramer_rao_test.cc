#include "bench/metrics/cramer_rao.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/metrics/least_squares_scenario_test.h"
#include "bench/metrics/metric_value_test.h"
#include "bench/metrics/metrics.h"
#include "bench/trial/labelled_estimators.h"
#include "scenarios/options/json.h"
#include "scenarios/problem/problem_builder.h"

namespace idbench {
namespace {

constexpr double kEnd = std::numeric_limits<double>::infinity();

/// J sample by sample, from torques of the columns of ∂π/∂x at the truth.
/// @param motors  maps the joints' torques to what has that σ.
/// @param zone    joints that are slower do not count.
Eigen::MatrixXd InformationOneByOne(const TrialData& data, const Eigen::VectorXd& sigma,
                                    const Eigen::MatrixXd& motors, double zone = 0.0) {
  const Problem& problem = data.problem();
  const Signals& clean = *data.clean[0];
  const Dynamics dynamics(problem.model, problem.friction);
  Dynamics::Scratch scratch(dynamics);
  const Eigen::MatrixXd A = problem.parameters.Jacobian(problem.parameters.FromPi(*data.true_pi()));
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(A.cols(), A.cols());
  Eigen::VectorXd tau(dynamics.dofs());
  for (Eigen::Index k = 0; k < clean.time_s.size(); ++k) {
    Eigen::MatrixXd H(dynamics.dofs(), A.cols());
    for (Eigen::Index c = 0; c < A.cols(); ++c) {
      dynamics.InverseDynamics(A.col(c), clean[kJointPosition].row(k).transpose(),
                               clean[kJointVelocity].row(k).transpose(),
                               clean[kJointAcceleration].row(k).transpose(), scratch, tau);
      H.col(c) = (motors * tau).cwiseQuotient(sigma);
    }
    for (int joint = 0; joint < dynamics.dofs(); ++joint) {
      if (std::abs(clean[kJointVelocity](k, joint)) < zone) H.row(joint).setZero();
    }
    J += H.transpose() * H;
  }
  return J;
}
Eigen::MatrixXd InformationOneByOne(const TrialData& data, const Eigen::VectorXd& sigma) {
  return InformationOneByOne(data, sigma, Eigen::MatrixXd::Identity(sigma.size(), sigma.size()));
}

TEST_CASE("The ratio is eᵀJe/p, J summed sample by sample from inverse dynamics") {
  const LoadedScenario loaded =
      LeastSquaresScenario(R"({"sensors": {"joint_torque": {"noise_std_nm": [0.1, 0.3]}}})");
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const TrialData data = context.Run(0);
  const Eigen::MatrixXd J = InformationOneByOne(data, Eigen::Vector2d(0.1, 0.3));
  Estimate estimate;
  const Eigen::VectorXd truth = context.problem().parameters.FromPi(*context.Run(0).true_pi());
  const Eigen::VectorXd error = Eigen::VectorXd::LinSpaced(truth.size(), -0.02, 0.05);
  estimate.x = truth + error;
  CramerRao bound(context.problem(), context.sensors());
  bound.SetTrial(data);
  const MetricValue ratio = bound.Ratio(estimate, kEnd);
  CHECK(*ratio.count == static_cast<std::size_t>(truth.size()));
  CHECK(*ratio.value ==
        doctest::Approx(error.dot(J * error) / static_cast<double>(truth.size())).epsilon(1e-9));
}

/// The ratio of one error against the bound of data that `processing` leaves.
double RatioBehind(const char* processing) {
  const LoadedScenario loaded = LeastSquaresScenario(processing);
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const TrialData data = context.Run(0);
  const Eigen::VectorXd truth = context.problem().parameters.FromPi(*data.true_pi());
  Estimate estimate;
  estimate.x = truth + Eigen::VectorXd::LinSpaced(truth.size(), -0.02, 0.05);
  CramerRao bound(context.problem(), context.sensors(),
                  [&](std::string_view channel) { return context.NoiseOf(channel); });
  bound.SetTrial(data);
  return *bound.Ratio(estimate, kEnd).value;
}

TEST_CASE("Of processed data the bound is that of the information that is left") {
  const double recorded = RatioBehind("{}");
  // What adds no information leaves it, and what takes none.
  CHECK(RatioBehind(R"({"processing": {"resample_rate_hz": 500}})") ==
        doctest::Approx(recorded).epsilon(1e-12));
  CHECK(RatioBehind(R"({"processing": {"lowpass": {"cutoff_hz": 10, "drop_edges_s": 0}}})") ==
        doctest::Approx(recorded).epsilon(1e-6));
  CHECK(RatioBehind(R"({"processing": {"decimate_to_hz": 20}})") ==
        doctest::Approx(recorded / 5.0).epsilon(1e-12));
  // Of 200 samples the last 100 are left.
  const double half = RatioBehind(R"({"processing": {"skip_samples": 100}})");
  CHECK(half < 0.9 * recorded);
  CHECK(RatioBehind(R"({"processing": {"skip_samples": 100, "decimate_to_hz": 20}})") ==
        doctest::Approx(half / 5.0).epsilon(1e-12));
}

/// The iCub's arm with motors that are fed duty cycles, their gains known.
LoadedScenario Shoulder(const char* more = "{}") {
  Json json = ParseJson(R"({
    "name": "b", "robot": {"model": "icub_right_arm", "truth": {"motor": {
      "torque_constant_nm_a": [1.79, 0.69, 0.69, 0.71, 0.2, 0.1], "back_emf_constant_vs_rad": 0.5}}},
    "control": {"type": "exact_replay"},
    "experiments": {"identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.2, "duration_s": 5, "candidates": 2}}},
    "sensors": {"joint_torque": {"origin": "absent"},
      "motor_pwm": {"origin": "measured", "noise_std_pct": [0.1, 0.2, 0.1, 0.1, 0.2, 0.1]}},
    "problem": {"equations": ["motor_pwm"], "terms": [{"type": "viscous_friction", "on": "motors"}],
      "prior": {"terms": {"motor0.gain": 1.79, "motor1.gain": 0.69, "motor2.gain": 0.69,
        "motor3.gain": 0.71, "motor4.gain": 0.2, "motor5.gain": 0.1}}},
    "estimators": {"ols": {}}, "trials": 40})",
                        "test");
  json.merge_patch(ParseJson(more, "more"));
  return LoadScenario(json, "test", {}, AllMetrics());
}

TEST_CASE("Through known gains each motor's noise bounds the unknowns, coupled or not") {
  const LoadedScenario loaded = Shoulder();
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const TrialData data = context.Run(0);
  // u of τ = Tᵀ·u, with T = [[1, 0, 0], [−r, r, 0], [−r, r, r]] solved by hand; r = 1.625.
  Eigen::MatrixXd motors = Eigen::MatrixXd::Identity(6, 6);
  motors(0, 1) = 1.0;
  motors(1, 1) = 1.0 / 1.625;
  motors(1, 2) = -1.0 / 1.625;
  motors(2, 2) = 1.0 / 1.625;
  const Eigen::VectorXd sigma{{0.179, 0.138, 0.069, 0.071, 0.04, 0.01}};
  const Eigen::MatrixXd J = InformationOneByOne(data, sigma, motors);
  const Eigen::VectorXd truth = context.problem().parameters.FromPi(*data.true_pi());
  const Eigen::VectorXd error = Eigen::VectorXd::LinSpaced(truth.size(), -0.02, 0.05);
  Estimate estimate;
  estimate.x = truth + error;
  CramerRao bound(context.problem(), context.sensors());
  bound.SetTrial(data);
  const MetricValue ratio = bound.Ratio(estimate, kEnd);
  CHECK(*ratio.count == static_cast<std::size_t>(truth.size()));
  CHECK(*ratio.value ==
        doctest::Approx(error.dot(J * error) / static_cast<double>(truth.size())).epsilon(1e-9));
}

TEST_CASE("Least squares from duty cycles of one σ, in torque, attains the bound") {
  // Motors one to a joint and σ of 0.1 N·m each: its rows have one σ, and are independent.
  const LoadedScenario loaded = LeastSquaresScenario(R"({"trials": 200,
      "robot": {"truth": {"motor": {"gear_ratio": [10, 20], "torque_constant_nm_a": 0.1,
        "resistance_ohm": 2, "supply_voltage_v": 24}}},
      "sensors": {"joint_torque": {"origin": "absent", "noise_std_nm": 0},
        "motor_pwm": {"origin": "measured", "noise_std_pct": [0.833333333333, 0.416666666667]}},
      "problem": {"equations": ["motor_pwm"],
        "prior": {"terms": {"joint1.gain": 0.12, "joint2.gain": 0.24}}}})");
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  CramerRao bound(context.problem(), context.sensors());
  const LabelledEstimators estimators = MakeEstimators(context.scenario());
  double sum = 0.0;
  for (std::int64_t trial = 0; trial < 200; ++trial) {
    const TrialData data = context.Run(trial);
    bound.SetTrial(data);
    const Estimate estimate = estimators[0].second->Run(context.problem(), data.datasets);
    REQUIRE(estimate.ok());
    sum += bound.Ratio(estimate, kEnd).value.value();
  }
  // 200 trials of some 10 unknowns: χ² over its degrees has a σ of √(2/2000) = 0.03.
  CHECK(sum / 200.0 == doctest::Approx(1.0).epsilon(0.1));
}

TEST_CASE("Unknown gains have no bound, because what they multiply has errors") {
  const LoadedScenario loaded = Shoulder(R"({"problem": {"prior": {"terms": {"motor1.gain": 0}},
      "terms": [{"type": "gain", "motors": "motor{0..2}"}]}})");
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  CramerRao bound(context.problem(), context.sensors());
  const TrialData data = context.Run(0);
  bound.SetTrial(data);
  CHECK(bound.Ratio(Estimate(), kEnd).failure ==
        "no bound: gains are unknown (motor0.gain, motor1.gain, motor2.gain), and what they "
        "multiply is measured with errors");
}

TEST_CASE("Rows in a dead zone carry no information, and least squares attains what is left") {
  const LoadedScenario loaded = LeastSquaresScenario(
      R"({"problem": {"equations": [{"type": "joint_torque", "dead_zone_rad_s": 0.8}]}})");
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const TrialData data = context.Run(0);
  const Eigen::Vector2d sigma(0.1, 0.1);
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(2, 2);
  const Eigen::MatrixXd J = InformationOneByOne(data, sigma, one, 0.8);
  CHECK((J - InformationOneByOne(data, sigma, one)).norm() > 0.01 * J.norm());
  Estimate estimate;
  const Eigen::VectorXd truth = context.problem().parameters.FromPi(*data.true_pi());
  const Eigen::VectorXd error = Eigen::VectorXd::LinSpaced(truth.size(), -0.02, 0.05);
  estimate.x = truth + error;
  CramerRao bound(context.problem(), context.sensors());
  bound.SetTrial(data);
  const auto size = static_cast<double>(truth.size());
  CHECK(*bound.Ratio(estimate, kEnd).value ==
        doctest::Approx(error.dot(J * error) / size).epsilon(1e-9));
  // Rates are exact here, so that the fit leaves out the very same rows: mean 1, its standard
  // deviation over 40 trials √(2/(40·unknowns)) = 0.07.
  double mean = 0.0;
  for (int trial = 0; trial < 40; ++trial) {
    const TrialData each = context.Run(trial);
    bound.SetTrial(each);
    const auto methods = MakeEstimators(loaded.scenario);
    mean += *bound.Ratio(methods[0].second->Run(each.problem(), each.datasets), kEnd).value / 40.0;
  }
  CHECK(std::abs(mean - 1.0) < 0.25);
}

TEST_CASE("Where π is not affine, J is that of the equations linearised at the trial's truth") {
  const LoadedScenario loaded = LeastSquaresScenario(R"({"trials": 3,
      "robot": {"truth": {"mass_error": {"type": "uniform"}, "draw": "trial"}},
      "problem": {"parametrisation": {"type": "masses_moments_first_moments"}, "prior": {}},
      "estimators": {"ols": null, "prior_only": {}}})");
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  CramerRao bound(context.problem(), context.sensors());
  for (const std::int64_t trial : {0, 1, 2}) {
    CAPTURE(trial);
    const TrialData data = context.Run(trial);
    const Eigen::MatrixXd J = InformationOneByOne(data, Eigen::Vector2d(0.1, 0.1));
    const Eigen::VectorXd truth = data.problem().parameters.FromPi(*data.true_pi());
    const Eigen::VectorXd error = Eigen::VectorXd::LinSpaced(truth.size(), -0.02, 0.05);
    Estimate estimate;
    estimate.x = truth + error;
    bound.SetTrial(data);
    const MetricValue ratio = bound.Ratio(estimate, kEnd);
    // In a plane, torques do not show all of a link.
    CHECK(*ratio.count < static_cast<std::size_t>(truth.size()));
    CHECK(*ratio.value * static_cast<double>(*ratio.count) ==
          doctest::Approx(error.dot(J * error)).epsilon(1e-9));
  }
}

TEST_CASE("Least squares with equal σ attains the bound, in parameters and in torque") {
  const LoadedScenario loaded = LeastSquaresScenario();
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const LabelledEstimators estimators = MakeEstimators(context.scenario());
  constexpr int kTrials = 200;
  double ratio = 0, nees = 0, squared_error = 0, bound = 0, unknowns = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const TrialData data = context.Run(trial);
    const Estimate estimate = estimators[0].second->Run(context.problem(), data.datasets);
    for (const MetricValue& metric : evaluator.Evaluate({{estimate}}, data)) {
      if (metric.name == "crlb_ratio") ratio += *metric.value / kTrials;
      if (metric.name == "nees") nees += *metric.value / kTrials;
      if (metric.name == "base_parameter_error_bound") bound = *metric.value;
      if (metric.name == "base_parameter_relative_error") {
        squared_error += *metric.value * *metric.value / kTrials;
      }
    }
    unknowns = static_cast<double>(estimate.x.size());
  }
  // Both are χ²_p/p: the mean of 200 deviates by √(2/(200 p)), and the squared error by less than
  // √(2/200), as if all of it lay along one direction. Four deviations.
  const double deviation = std::sqrt(2 / (kTrials * unknowns));
  CHECK(std::abs(ratio - 1) < 4 * deviation);
  // Its σ̂² comes from 400 residuals, which widens nees to F(p, 400 − p).
  CHECK(std::abs(nees - 1) < 4 * deviation + 0.02);
  CHECK(std::abs(squared_error / (bound * bound) - 1) < 4 * std::sqrt(2.0 / kTrials));
}

TEST_CASE("More data lower the bound, and fewer than the unknowns need have none") {
  const LoadedScenario loaded = LeastSquaresScenario();
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const TrialData data = context.Run(0);
  CramerRao bound(context.problem(), context.sensors());
  bound.SetTrial(data);
  const FixedStates states = MakeFixedStates(context.problem().model, 50, 2);
  const Eigen::RowVectorXd weights = Eigen::RowVectorXd::Ones(2);
  const double half = *bound.ErrorBound(states, weights, 1.0, 1.0).value;
  const double whole = *bound.ErrorBound(states, weights, 1.0, kEnd).value;
  CHECK(whole < half);
  CHECK(bound.ErrorBound(states, weights, 1.0, 0.005).failure ==
        "the motion does not show all that the equations can");
}

TEST_CASE("The bound of a trial does not depend on the weights of another one's truth") {
  const LoadedScenario loaded = LeastSquaresScenario();
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const TrialData data = context.Run(0);
  const FixedStates states = MakeFixedStates(context.problem().model, 50, 2);
  const Eigen::RowVector2d first(1.0, 1.0), second(0.2, 3.0);
  CramerRao both(context.problem(), context.sensors()), alone(context.problem(), context.sensors());
  both.SetTrial(data);
  const double of_first = *both.ErrorBound(states, first, 1.0, kEnd).value;
  const TrialData next = context.Run(1);
  both.SetTrial(next);
  alone.SetTrial(next);
  const double of_second = *both.ErrorBound(states, second, 1.0, kEnd).value;
  CHECK(of_second != of_first);
  CHECK(of_second == *alone.ErrorBound(states, second, 1.0, kEnd).value);
}

TEST_CASE(
    "Rounded readings have the bound of white noise of σ² + step²/12, for linear estimators") {
  const auto ratio = [](const char* sensors) {
    const LoadedScenario loaded = LeastSquaresScenario(sensors);
    RolloutStore rollouts;
    const PreparedCell context(loaded, loaded.cells[0], rollouts);
    CramerRao bound(context.problem(), context.sensors());
    const TrialData data = context.Run(0);
    bound.SetTrial(data);
    Estimate estimate;
    estimate.x = 1.1 * context.problem().parameters.FromPi(*data.true_pi());
    return bound.Ratio(estimate, kEnd);
  };
  const MetricValue rounded =
      ratio(R"({"sensors": {"joint_torque": {"noise_std_nm": 0.1, "quantisation_nm": 0.6}}})");
  const MetricValue noisy = ratio(R"({"sensors": {"joint_torque": {"noise_std_nm": 0.2}}})");
  CHECK(*rounded.value == doctest::Approx(*noisy.value).epsilon(1e-12));  // 0.01 + 0.36/12
  CHECK(rounded.count == 0);
  CHECK(*noisy.count > 0);
  const MetricValue before = ratio(R"({"sensors": {"quantisation_in_sigma": false,
      "joint_torque": {"noise_std_nm": 0.1, "quantisation_nm": 0.6}}})");
  CHECK(*before.value == doctest::Approx(4.0 * *noisy.value).epsilon(1e-12));
  CHECK(before.count == noisy.count);
}

TEST_CASE(
    "Least squares attains the bound of linear estimators where steps are fine beside noise") {
  // 30 trials of ν = 8 unknowns: the ratio's mean has a standard error of √(2/240) = 0.09.
  const LoadedScenario loaded = LeastSquaresScenario(
      R"({"sensors": {"joint_torque": {"noise_std_nm": 0.1, "quantisation_nm": 0.3}}, "trials": 30})");
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  CramerRao bound(context.problem(), context.sensors());
  double sum = 0.0;
  for (std::int64_t trial = 0; trial < 30; ++trial) {
    const TrialData data = context.Run(trial);
    bound.SetTrial(data);
    const LabelledEstimators estimators = MakeEstimators(loaded.scenario);
    sum += *bound.Ratio(estimators[0].second->Run(data.problem(), data.datasets), kEnd).value / 30;
  }
  CHECK(sum > 0.7);
  CHECK(sum < 1.3);  // without step²/12 it would be 1.75
}

TEST_CASE("Without noise there is no bound") {
  const LoadedScenario loaded =
      LeastSquaresScenario(R"({"sensors": {"joint_torque": {"noise_std_nm": [0.1, 0]}}})");
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  CramerRao bound(context.problem(), context.sensors());
  bound.SetTrial(context.Run(0));
  CHECK(bound.Ratio({}, kEnd).failure == "no bound: an equation has no noise");
}

}  // namespace
}  // namespace idbench
