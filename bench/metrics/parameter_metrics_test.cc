#include "bench/metrics/parameter_metrics.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "bench/biped_test.h"
#include "bench/metrics/metric_value_test.h"
#include "bench/metrics/metrics.h"
#include "bench/metrics/planar_metrics_test.h"
#include "bench/trial/labelled_estimators.h"
#include "robots/dynamics/parameters/consistent_fit.h"
#include "scenarios/options/json.h"

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

/// planar2 in two experiments with these events, exactly measured.
LoadedScenario Carrying(const char* identification, const char* validation) {
  Json json = ParseJson(R"({
    "name": "p", "robot": {"model": "planar2", "truth": {}}, "control": {"type": "exact_replay"},
    "experiments": {
      "identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "candidates": 1}},
      "validation": {"role": "validation", "motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2,
        "candidates": 1, "stream": "validation"}}},
    "sensors": {"joint_torque": {"origin": "oracle"}}, "problem": {"prior": {},
      "parametrisation": {"type": "base", "friction": ["viscous", "coulomb"], "rotor_inertia": true}},
    "estimators": {"prior_only": {}, "ols": {}}, "trials": 1})",
                        "test");
  json["experiments"]["identification"]["events"] = ParseJson(identification, "events");
  json["experiments"]["validation"]["events"] = ParseJson(validation, "events");
  return LoadScenario(json, "test", {}, AllMetrics());
}

TEST_CASE("A payload that is carried throughout belongs to the robot that is identified") {
  const char* box =
      R"([{"type": "attach", "at_s": 0, "mass_kg": 0.7, "com_m": [0.1, 0, -0.2], "size_m": [0.1, 0.2, 0.1]}])";
  const LoadedScenario loaded = Carrying(box, box);
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const LabelledEstimators estimators = MakeEstimators(context.scenario());
  const TrialData data = context.Run(0);
  const auto error = [&](std::size_t k) {
    const Estimate estimate = estimators[k].second->Run(context.problem(), data.datasets);
    const auto values = evaluator.Evaluate({{estimate}}, data);
    return *Find(values, "base_parameter_relative_error").value;
  };
  CHECK(error(0) > 0.05);  // the prior knows nothing of it
  CHECK(error(1) < 1e-9);
}

/// The error of least squares from exact readings with these biases, and the marks.
std::pair<double, std::vector<std::string>> ErrorWith(const char* change) {
  Json json = ParseJson(R"({
    "name": "p", "robot": {"model": "planar3", "truth": {"friction": {"offset_nm": 0.2}},
      "force_torque_sensors": {"ft": {"link": "link2", "point_m": [0, 0, 0], "link_side": "distal"}}},
    "control": {"type": "exact_replay"},
    "experiments": {"identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "candidates": 1}}},
    "problem": {"prior": {}, "parametrisation": {"type": "base", "friction": ["viscous", "coulomb", "offset"], "rotor_inertia": true}},
    "estimators": {"ols": {}}, "trials": 1})",
                        "test");
  json.merge_patch(ParseJson(change, "change"));
  const LoadedScenario loaded = LoadScenario(json, "test", {}, AllMetrics());
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const LabelledEstimators estimators = MakeEstimators(context.scenario());
  const TrialData data = context.Run(0);
  const Estimate estimate = estimators[0].second->Run(context.problem(), data.datasets);
  const auto values = evaluator.Evaluate({{estimate}}, data);
  return {*Find(values, "base_parameter_relative_error").value, context.marks()};
}

TEST_CASE("A bias that an estimated offset absorbs is no parameter error, and is told") {
  const auto told = [](const std::vector<std::string>& marks, const char* names) {
    return std::ranges::count(
               marks,
               std::string("offsets, true and estimated, include the bias of their sensors: ") +
                   names) == 1;
  };
  const auto [joints, of_joints] =
      ErrorWith(R"({"sensors": {"joint_torque": {"bias_nm": [0.5, 0, 0],
      "joints": {"joint3": {"bias_nm": -0.3}}}}})");
  CHECK(joints < 1e-9);
  CHECK(told(of_joints, "joint1.fo, joint3.fo"));
  const auto [sensor, of_sensor] =
      ErrorWith(R"({"problem": {"equations": [{"type": "wrench", "mount": "ft"}],
      "parametrisation": {"friction": [], "rotor_inertia": false}, "terms": [{"type": "offset", "sensors": "ft"}]},
      "sensors": {"wrench": {"ft": {"bias_n_nm": [3, 0, 0, 0, 0, 0.1]}}}})");
  CHECK(sensor < 1e-9);
  CHECK(told(of_sensor, "ft.offset_fx, ft.offset_mz"));
  // Where no offset is estimated, a bias is an error.
  CHECK(ErrorWith(R"({"problem": {"parametrisation": {"friction": ["viscous", "coulomb"]}},
      "robot": {"truth": {"friction": {"offset_nm": 0}}},
      "sensors": {"joint_torque": {"bias_nm": 0.5}}})")
            .first > 1e-3);
}

TEST_CASE("Where payloads come, go or differ, no value of the robot's unknowns is the true one") {
  const auto absent = [](const char* identification, const char* validation,
                         const char* metric = "base_parameter_relative_error") {
    const LoadedScenario loaded = Carrying(identification, validation);
    const auto at = std::ranges::find(loaded.absent_metrics, metric,
                                      &std::pair<std::string, std::string>::first);
    return at == loaded.absent_metrics.end() ? "" : at->second;
  };
  const char* box = R"([{"type": "attach", "at_s": 0, "mass_kg": 0.7}])";
  const char* late = R"([{"type": "attach", "at_s": 1, "mass_kg": 0.7}])";
  const char* why =
      "the true robot changes: payloads come, go or differ between experiments; to judge how one "
      "is "
      "followed, take the parametrisation \"payload\" and declare /windows, or ask for "
      "joint_torque_rmse_nm, which compares each sample of an identification experiment with what "
      "an "
      "online method knew before it";
  CHECK(absent(box, box).empty());
  CHECK(absent(box, "[]") == why);
  CHECK(absent(late, late) == why);
  CHECK(absent(late, late, "nees") == why);
  CHECK(absent(box, "[]", "coverage95") == why);
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

TEST_CASE("An error of one parameter weighs as the rows that it moves, each over its own RMS") {
  OneCell cell(PlanarScenario());
  const Eigen::VectorXd& truth = *cell.data.true_pi();
  constexpr double kViscousError = 0.3;  // [N·m·s/rad]
  Estimate estimate = TrueEstimate(cell.context);
  estimate.pi[ParameterLayout(2).Joint(1, JointParameter::kViscous)] += kViscousError;
  // Φβ of joint 2 is wrong by 0.3·q̇₂, joint 1 is right; both rows scaled to an RMS of 1.
  const Problem& problem = cell.context.problem();
  const FixedStates states = MakeFixedStates(problem.model, 1000, StateSet::kTorqueError);
  const Dynamics dynamics(problem.model, problem.friction);
  Dynamics::Scratch scratch(dynamics);
  double squared = 0.0, signal = 0.0;
  Eigen::VectorXd tau(2);
  for (Eigen::Index k = 0; k < 1000; ++k) {
    dynamics.InverseDynamics(truth, states.q.row(k).transpose(), states.qd.row(k).transpose(),
                             states.qdd.row(k).transpose(), scratch, tau);
    squared += std::pow(kViscousError * states.qd(k, 1), 2);
    signal += tau[1] * tau[1];
  }
  CHECK(*cell.Metric(estimate, "base_parameter_relative_error").value ==
        doctest::Approx(std::sqrt(squared / signal / 2.0)).epsilon(1e-9));  // rounding of B·π
}

TEST_CASE("An error of an unknown that is 0 counts relative to the largest of its kind") {
  OneCell cell(BoundedScenario(
      R"({"robot": {"truth": {"friction": {"viscous_nms_rad": [0.4, 0], "coulomb_nm": [0.2, 0.5]}}}})"));
  const std::vector<std::string>& names = cell.context.problem().parameters.names;
  Eigen::VectorXd x = cell.true_unknowns();
  const auto at = [&](const char* name) { return std::ranges::find(names, name) - names.begin(); };
  REQUIRE(at("joint2.fv") < x.size());
  x[at("joint1.fv")] += 0.1;
  x[at("joint2.fv")] -= 0.1;
  x[at("joint2.fc")] += 0.1;
  const MetricValue metric = cell.Metric(cell.EstimateOf(x), "parameter_error_fraction");
  REQUIRE(metric.components.size() == names.size());
  for (std::size_t k = 0; k < names.size(); ++k) {
    CAPTURE(names[k]);
    double expected = 0.0;
    if (names[k] == "joint1.fv" || names[k] == "joint2.fv") expected = 0.1 / 0.4;
    if (names[k] == "joint2.fc") expected = 0.1 / 0.5;
    // x̂ − x of what is right is the rounding of π(x).
    CHECK(metric.components[k] == doctest::Approx(expected).epsilon(1e-9));
  }
  CHECK(*metric.value == doctest::Approx(0.7 / static_cast<double>(names.size())));

  OneCell smooth(BoundedScenario(R"({"robot": {"truth": {"friction": {"viscous_nms_rad": 0}}}})"));
  CHECK(smooth.Metric(smooth.EstimateOf(smooth.true_unknowns()), "parameter_error_fraction")
            .failure == "not finite: all unknowns of a kind are 0");
}

TEST_CASE("M(q) of two links is positive definite just where its determinant is positive") {
  OneCell cell(PlanarScenario());
  // Beside the rotation about joint 2 and joint 1's own, both of 1 kg·m², the links are coupled:
  // M = [2 + 2b·cos q₂, 1 + b·cos q₂; ·, 1], det M = 1 − b²·cos²q₂, b = −0.5 m·(m·c_z of link 2).
  const double b = std::sqrt(2.0);
  const ParameterLayout layout(2);
  Estimate estimate;
  estimate.pi = Eigen::VectorXd::Zero(layout.size());
  constexpr int kIyy = 6;
  estimate.pi[layout.Body(0) + kIyy] = 1.0;
  estimate.pi[layout.Body(1) + kIyy] = 1.0;
  estimate.pi[layout.Body(1) + 3] = -2.0 * b;
  estimate.x = cell.context.problem().parameters.FromPi(estimate.pi);
  const FixedStates poses =
      MakeFixedStates(cell.context.problem().model, 1000, StateSet::kTorqueError);
  const auto positive = (b * b * poses.q.col(1).head(200).array().cos().square() < 1.0).count();
  REQUIRE(positive > 50);
  REQUIRE(positive < 150);
  CHECK(*cell.Metric(estimate, "mass_matrix_positive_fraction").value ==
        static_cast<double>(positive) / 200.0);
}

TEST_CASE("Moments count about the centre of mass, and margins about the frame's origin") {
  OneCell cell(BoundedScenario());
  Estimate estimate = TrueEstimate(cell.context);
  const ParameterLayout layout(2);
  // 1 kg at x = 1 m: of (0.1, 0.5, 0.5) about the origin (0.1, −0.5, −0.5) is left about it.
  estimate.pi.segment<kInertialCount>(layout.Body(0)) << 1, 1, 0, 0, 0.1, 0, 0.5, 0, 0, 0.5;
  // Σ = ½ tr(I)·1 − I = diag(3, 2, 1), so that J = diag(3, 2, 1, 2): the margin is 1/8.
  estimate.pi.segment<kInertialCount>(layout.Body(1)) << 2, 0, 0, 0, 3, 0, 4, 0, 0, 5;
  CHECK(*cell.Metric(estimate, "negative_moment_count").value == 2.0);
  const MetricValue margin = cell.Metric(estimate, "pseudo_inertia_margin");
  CHECK(margin.components[1] == doctest::Approx(0.125).epsilon(1e-12));
  CHECK(*margin.value == margin.components[0]);
  CHECK(cell.Metric(estimate, "consistent_link_fraction").components ==
        std::vector<double>{0.0, 1.0});
  const MetricValue masses = cell.Metric(estimate, "link_mass_kg");
  CHECK(masses.components == std::vector<double>{1.0, 2.0});
  CHECK(*masses.value == 3.0);
  estimate.pi.segment<kInertialCount>(layout.Body(0)).setZero();
  CHECK(cell.Metric(estimate, "pseudo_inertia_margin").failure ==
        "not finite: a link has no mass and no extent");
}

TEST_CASE("Base parameters have no metrics of single links, whoever asks") {
  OneCell cell(PlanarScenario());
  ParameterMetrics metrics(
      cell.context.scenario(), cell.context.problem(), cell.context.asked(), cell.context.sensors(),
      [&cell](std::string_view channel) { return cell.context.NoiseOf(channel); });
  metrics.SetTrial(cell.data);
  const Estimate estimate = TrueEstimate(cell.context);
  for (const MetricValue& metric :
       {metrics.LinkMassError(estimate), metrics.LinkMassBound(1.0), metrics.LinkMasses(estimate),
        metrics.ConsistentLinks(estimate), metrics.PseudoInertiaMargins(estimate),
        metrics.NegativeMoments(estimate), metrics.MassesOutOfBounds(estimate)}) {
    CHECK_FALSE(metric.value);
    CHECK(metric.failure == "base parameters say nothing of single links");
  }
}

}  // namespace
}  // namespace idbench
