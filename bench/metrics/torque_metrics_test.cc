#include "bench/metrics/torque_metrics.h"

#include <doctest/doctest.h>

#include <cmath>

#include "bench/biped_test.h"
#include "bench/metrics/metric_value_test.h"
#include "bench/metrics/metrics.h"
#include "bench/metrics/planar_metrics_test.h"
#include "bench/metrics/tracked_run_test.h"
#include "estimators/batch/ols.h"

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

TEST_CASE("Behind a filter the noise floor is that of one filtered sample") {
  const LoadedScenario loaded = PlanarScenario(
      R"({"sensors": {"joint_torque": {"noise_std_nm": 5}}, "processing": {"lowpass": {"cutoff_hz": 12, "channels":
          ["joint_position", "joint_velocity", "joint_acceleration", "joint_torque"]}}})");
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const auto values = evaluator.Evaluate({{TrueEstimate(context)}}, context.Run(0));
  // About 70 independent samples of two joints: a deviation of 8 %. Over the declared σ it is 0.47.
  CHECK(*Find(values, "joint_torque_rmse_over_sigma@validation").value ==
        doctest::Approx(1.0).epsilon(0.25));
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

TEST_CASE("A torque that is off by a constant has just that RMSE, in its own joint") {
  OneCell cell(PlanarScenario(R"({"sensors": {"joint_torque": {"noise_std_nm": 0}}})"));
  Estimate estimate = TrueEstimate(cell.context);
  estimate.pi[ParameterLayout(2).Joint(1, JointParameter::kOffset)] += 0.3;
  const Eigen::MatrixXd& tau = (*cell.data.clean[1])[kJointTorque];
  const auto n = static_cast<double>(tau.rows());
  for (const char* name :
       {"joint_torque_rmse_nm@validation", "joint_torque_clean_rmse_nm@validation"}) {
    CAPTURE(name);
    const MetricValue rmse = cell.Metric(estimate, name);
    CHECK(rmse.components[0] < 1e-11);  // MuJoCo's inverse dynamics against ours: rounding
    CHECK(rmse.components[1] == doctest::Approx(0.3).epsilon(1e-9));
    CHECK(*rmse.value == doctest::Approx(0.3 / std::sqrt(2.0)).epsilon(1e-9));
  }
  const MetricValue relative = cell.Metric(estimate, "joint_torque_relative_error@validation");
  CHECK(relative.components[1] ==
        doctest::Approx(0.3 * std::sqrt(n) / tau.col(1).norm()).epsilon(1e-9));
  CHECK(*relative.value == doctest::Approx(0.3 * std::sqrt(n) / tau.norm()).epsilon(1e-9));
}

TEST_CASE("Clean errors are at the true state, the others at the measured one") {
  OneCell cell(PlanarScenario(R"({"sensors": {"joint_torque": {"noise_std_nm": 0},
      "joint_position": {"noise_std_rad": 0.01}}})"));
  const Estimate truth = TrueEstimate(cell.context);
  CHECK(*cell.Metric(truth, "joint_torque_clean_rmse_nm@validation").value < 1e-11);
  // Gravity: 0.01 rad times ∂τ/∂q, of some 10 N·m/rad.
  CHECK(*cell.Metric(truth, "joint_torque_rmse_nm@validation").value > 0.01);
}

TEST_CASE("An estimate that noise of the score's own states biased does not win when smoothed") {
  OneCell cell(PlanarScenario(R"({
    "sensors": {"rate_hz": 500, "joint_torque": {"noise_std_nm": 0.05},
                "joint_position": {"noise_std_rad": 1e-4}},
    "processing": {"differentiate": ["joint_velocity", "joint_acceleration"]},
    "experiments": {"identification": {"motion": {"duration_s": 8}},
                    "validation": {"motion": {"duration_s": 8}}},
    "scoring": {"cutoff_hz": 10}})"));
  const Estimate truth = TrueEstimate(cell.context);
  Ols ols;
  const Estimate biased = ols.Run(cell.context.problem(), cell.data.datasets);
  REQUIRE_MESSAGE(biased.ok(), biased.reason);
  const auto error = [&](const Estimate& estimate, const std::string& cutoff) {
    return *cell.Metric(estimate, "joint_torque_relative_error" + cutoff + "@validation").value;
  };
  // Accelerations have a noise of √6·1e-4·500² = 61 rad/s², those of the motion are some 10.
  CHECK(error(biased, "(cutoff=none)") < error(truth, "(cutoff=none)"));
  for (const char* cutoff : {"", "(cutoff=0.5)", "(cutoff=2)"}) {
    CAPTURE(cutoff);
    CHECK(error(truth, cutoff) < 0.3 * error(biased, cutoff));
  }
  CHECK(error(truth, "") < 0.05);
}

TEST_CASE("Each joint's error is taken over its own declared σ, which none may lack") {
  OneCell cell(PlanarScenario(
      R"({"sensors": {"joint_torque": {"noise_std_nm": 0, "declared_sigma_nm": [0.1, 0.3]}}})"));
  Estimate estimate = TrueEstimate(cell.context);
  for (int joint = 0; joint < 2; ++joint) {
    estimate.pi[ParameterLayout(2).Joint(joint, JointParameter::kOffset)] += 0.6;
  }
  const MetricValue ratio = cell.Metric(estimate, "joint_torque_rmse_over_sigma@validation");
  CHECK(ratio.components[0] == doctest::Approx(6.0).epsilon(1e-9));
  CHECK(ratio.components[1] == doctest::Approx(2.0).epsilon(1e-9));
  CHECK(*ratio.value == doctest::Approx(4.0).epsilon(1e-9));

  OneCell zero(PlanarScenario(
      R"({"sensors": {"joint_torque": {"noise_std_nm": 0.1, "declared_sigma_nm": [0.1, 0]}}})"));
  CHECK(
      zero.Metric(TrueEstimate(zero.context), "joint_torque_rmse_over_sigma@validation").failure ==
      "not finite: a joint's declared σ is 0");

  OneCell none(PlanarScenario(R"({"sensors": {"joint_torque": {"noise_std_nm": 0}}})"));
  TorqueMetrics metrics(none.context.problem());
  metrics.SetTrial(none.data);
  const Estimate truth = TrueEstimate(none.context);
  metrics.SetEstimate(truth);
  CHECK(metrics.RmseOverSigma("validation").failure == "no σ is declared for the joint torques");
}

TEST_CASE("An error relative to a torque that is constant, or 0, is none") {
  OneCell cell(PlanarScenario());
  const Estimate truth = TrueEstimate(cell.context);
  const auto with_torque = [&](double of_joint_2, const char* name) {
    Dataset changed("validation", Role::kValidation);
    for (Channel channel : cell.data.datasets[1].channels()) {
      if (channel.name == kJointTorque) channel.samples.col(1).setConstant(of_joint_2);
      changed.Add(std::move(channel));
    }
    cell.data.datasets[1] = changed;
    return cell.Metric(truth, name);
  };
  const char* const why = "not finite: a joint's torque does not vary";
  CHECK(with_torque(2.0, "joint_torque_nrmse@validation").failure == why);
  CHECK(with_torque(2.0, "joint_torque_relative_error@validation").failure == "");
  CHECK(with_torque(0.0, "joint_torque_relative_error@validation").failure == why);
}

TEST_CASE("The ratio to the prior is to that of the trial, and to an exact prior there is none") {
  OneCell cell(BoundedScenario(
      R"({"problem": {"prior": {"draw": "trial", "mass_error": {"type": "uniform"}}}})"));
  const char* const clean = "joint_torque_clean_rmse_nm@validation";
  const char* const ratio = "joint_torque_ratio_to_prior@validation";
  Estimate estimate = TrueEstimate(cell.context);
  estimate.pi *= 1.1;
  std::vector<double> ratios;
  for (const int trial : {0, 1}) {
    CAPTURE(trial);
    cell.data = cell.context.Run(trial);
    const Estimate prior = cell.EstimateOf(cell.data.problem().parameters.prior->mean);
    const MetricValue of_prior = cell.Metric(prior, clean);
    const MetricValue ours = cell.Metric(estimate, clean);
    const MetricValue metric = cell.Metric(estimate, ratio);
    for (const std::size_t joint : {0, 1}) {
      CHECK(metric.components[joint] ==
            doctest::Approx(ours.components[joint] / of_prior.components[joint]).epsilon(1e-12));
    }
    ratios.push_back(*metric.value);
  }
  CHECK(ratios[0] != doctest::Approx(ratios[1]).epsilon(1e-3));

  // A robot that moves as the prior says.
  const Problem& problem = cell.data.problem();
  IdentifiedModel model(problem);
  Signals moved = *cell.data.clean[1];
  model.Torque(model.OfUnknowns(problem.parameters.prior->mean),
               {moved[kJointPosition], moved[kJointVelocity], moved[kJointAcceleration]},
               moved[kJointTorque]);
  cell.data.clean[1] = &moved;
  CHECK(cell.Metric(estimate, ratio).failure == "no ratio: the prior predicts the torques exactly");
}

TEST_CASE("The overall ratio to the prior is of the norms, which no light joint decides") {
  OneCell cell(BoundedScenario());
  Estimate estimate = TrueEstimate(cell.context);
  const ParameterLayout layout(2);
  // Joint 2 is off by 0.5 N·m, joint 1 by 0.01: over the norms of the prior's errors that is
  // little.
  estimate.pi[layout.Joint(0, JointParameter::kOffset)] += 0.01;
  estimate.pi[layout.Joint(1, JointParameter::kOffset)] += 0.5;
  const std::string name = "joint_torque_ratio_to_prior@validation";
  Estimate prior = estimate;
  prior.x = cell.context.problem().parameters.prior->mean;
  prior.pi = cell.context.problem().parameters.Pi(prior.x);
  const auto clean = [&](const Estimate& of) {
    return cell.Metric(of, "joint_torque_clean_rmse_nm@validation");
  };
  const MetricValue ratio = cell.Metric(estimate, name);
  CHECK(*ratio.value ==
        doctest::Approx(*clean(estimate).value / *clean(prior).value).epsilon(1e-9));
  CHECK(ratio.components[1] ==
        doctest::Approx(clean(estimate).components[1] / clean(prior).components[1]).epsilon(1e-9));
  CHECK(*cell.Metric(prior, name).value == doctest::Approx(1.0).epsilon(1e-12));

  OneCell mean(BoundedScenario(R"({"overall_ratio_to_prior": "mean_over_joints"})"));
  const MetricValue as_printed = mean.Metric(estimate, name);
  CHECK(as_printed.components == ratio.components);
  CHECK(*as_printed.value ==
        doctest::Approx(0.5 * (ratio.components[0] + ratio.components[1])).epsilon(1e-12));
  CHECK(*as_printed.value > 1.5 * *ratio.value);
}

TEST_CASE("Over a prior that predicts the torques to rounding there is no ratio") {
  OneCell cell(BoundedScenario(R"({"problem": {"prior": {"mass_scale": 1, "inertia_scale": 1}}})"));
  const MetricValue ratio =
      cell.Metric(TrueEstimate(cell.context), "joint_torque_ratio_to_prior@validation");
  CHECK(ratio.absent);
  CHECK(ratio.failure == "no ratio: the prior predicts the torques exactly");
  OneCell mean(BoundedScenario(R"({"problem": {"prior": {"mass_scale": 1, "inertia_scale": 1}},
                                   "overall_ratio_to_prior": "mean_over_joints"})"));
  CHECK(mean.Metric(TrueEstimate(mean.context), "joint_torque_ratio_to_prior@validation").failure ==
        "not finite: the prior predicts a joint exactly");
}

TEST_CASE("Where the payload changes, torques are predicted by the estimate before each sample") {
  for (const int skipped : {0, 30}) {
    CAPTURE(skipped);
    Json json = PayloadScenario();
    json["processing"] = {{"skip_samples", skipped}};
    json["metrics"] = {"joint_torque_clean_rmse_nm", "joint_torque_rmse_over_sigma",
                       "joint_torque_ratio_to_prior"};
    TrackedRun run(json);
    Estimate estimate = run.Track([](double t_s) { return 0.1 * t_s; }, 0.05);
    KeepSamples(estimate.series, skipped, 200 - skipped);
    const auto values = run.Judge(estimate);
    const Eigen::MatrixXd& track = estimate.series[0].values;

    // By hand: x after the last earlier sample, the prior's before there is one.
    const Signals& clean = *run.data.clean[0];
    IdentifiedModel model(run.context.problem());
    Eigen::VectorXd squares = Eigen::VectorXd::Zero(2), prior_squares = squares;
    const Eigen::VectorXd& prior = run.context.problem().parameters.prior->mean;
    for (Eigen::Index k = 0; k < 200; ++k) {
      const StateSamples sample{clean[kJointPosition].middleRows(k, 1),
                                clean[kJointVelocity].middleRows(k, 1),
                                clean[kJointAcceleration].middleRows(k, 1)};
      Eigen::MatrixXd tau(1, 2);
      model.Torque(
          model.OfUnknowns(k <= skipped ? prior : Eigen::VectorXd(track.row(k - 1 - skipped))),
          sample, tau);
      squares += (clean[kJointTorque].row(k) - tau).cwiseAbs2().transpose();
      model.Torque(model.OfUnknowns(prior), sample, tau);
      prior_squares += (clean[kJointTorque].row(k) - tau).cwiseAbs2().transpose();
    }
    const MetricValue& rmse = Find(values, "joint_torque_clean_rmse_nm@identification");
    CHECK(*rmse.value == doctest::Approx(std::sqrt(squares.sum() / 400)).epsilon(1e-9));
    CHECK(*Find(values, "joint_torque_ratio_to_prior@identification").value ==
          doctest::Approx(std::sqrt(squares.sum() / prior_squares.sum())).epsilon(1e-9));
    CHECK(Find(values, "joint_torque_rmse_over_sigma@identification").value.has_value());
  }
}

TEST_CASE("Where the payload changes, no torque errors of one estimate are told") {
  Json json = PayloadScenario();
  json["experiments"]["validation"] = json["experiments"]["identification"];
  json["experiments"]["validation"]["role"] = "validation";
  json["evaluate_at_s"] = {1};
  TrackedRun run(json);
  const Estimate online = run.Track([](double) { return 0.1; }, 0.05);
  Estimate batch_estimate = online;
  batch_estimate.series.clear();
  std::vector<Estimate> estimates(2, batch_estimate);
  MetricEvaluator evaluator(run.context, run.loaded.metrics);
  CHECK(evaluator.needs_tracks());
  const auto of_batch = evaluator.Evaluate(estimates, run.data);
  const MetricValue& batch = Find(of_batch, "joint_torque_rmse_nm@identification");
  CHECK(batch.absent);
  CHECK(batch.failure ==
        "what the robot carries in identification changes at 0.5 s: only an online method, at its "
        "end, predicts each sample's torque anew");
  CHECK(Find(of_batch, "chi_square").failure ==
        "what the robot carries in identification changes at 0.5 s: no one estimate fits all");
  estimates.back() = online;
  const auto of_online = evaluator.Evaluate(estimates, run.data);
  CHECK(Find(of_online, "joint_torque_rmse_nm@identification").failure.empty());
  CHECK(Find(of_online, "joint_torque_rmse_nm@identification@t=1").absent);
  CHECK(Find(of_online, "joint_torque_clean_rmse_nm@validation").failure ==
        "what the robot carries in validation changes at 0.5 s: no one estimate predicts its "
        "torques");
  estimates.back().series[0].values.row(3).setConstant(std::numeric_limits<double>::quiet_NaN());
  const auto of_failed = evaluator.Evaluate(estimates, run.data);
  CHECK(Find(of_failed, "joint_torque_rmse_nm@identification").failure ==
        "what the robot carries in identification changes at 0.5 s: the estimate failed at some "
        "sample");
}

}  // namespace
}  // namespace idbench
