#include "estimators/motors/pls.h"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>

#include "estimators/motors/driven_arm_test.h"
#include "estimators/solvers/regression_rows.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

const DrivenArm::Noise kPaperNoise{.pwm_pct = 0.05, .force_n = 0.15, .moment_nm = 0.005};

Estimate RunPls(const Problem& problem, const std::vector<Dataset>& datasets, const Json& options) {
  Pls pls;
  std::vector<Issue> issues;
  ReadFields(pls.Fields(), options, "", issues);
  REQUIRE(issues.empty());
  return pls.Run(problem, datasets);
}

TEST_CASE("Without noise the gains are exact where no more latent variables are found") {
  const DrivenArm arm;
  const std::vector<Dataset> datasets = {arm.Record("a", 20.0, {})};
  const Estimate estimate = RunPls(arm.problem, datasets, {{"components", 90}});
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  CHECK(estimate.diagnostics.at("components") < 90);  // the rank of equation (11) at most
  // 1e-16 times the condition of the scaled columns.
  CHECK((arm.GainRatios(estimate.x).array() - 1.0).abs().maxCoeff() < 1e-7);
  CHECK(!estimate.knows_hidden);
  CHECK(!estimate.covariance);
  CHECK(estimate.notes.at("covariance") ==
        "none stated: partial least squares does not know its bias");
}

TEST_CASE("Noise of what stands among the columns shrinks gains, less where it weighs less") {
  const DrivenArm arm;
  const DrivenArm::Noise strong{.pwm_pct = 1.0, .force_n = 0.15, .moment_nm = 0.005};
  const std::vector<Dataset> datasets = {arm.Record("a", 60.0, strong)};
  const Estimate plain = RunPls(arm.problem, datasets, {{"components", 90}});
  const Estimate weighted =
      RunPls(arm.problem, datasets,
             {{"components", 90}, {"weights", {{"joints", 0.1}, {"forces", 1}, {"moments", 10}}}});
  REQUIRE(plain.ok());
  REQUIRE(weighted.ok());
  const Eigen::Vector4d shrunk = arm.GainRatios(plain.x), less = arm.GainRatios(weighted.x);
  CHECK(shrunk.maxCoeff() < 0.99);
  CHECK((less - shrunk).minCoeff() > 0.0);
}

TEST_CASE("Cross-validation takes the number that predicts what was left out best") {
  const DrivenArm arm;
  const std::vector<Dataset> datasets = {arm.Record("a", 30.0, kPaperNoise)};
  const Estimate chosen = RunPls(arm.problem, datasets, {{"folds", 3}});
  REQUIRE_MESSAGE(chosen.ok(), chosen.reason);
  const auto components = static_cast<int>(chosen.diagnostics.at("components"));
  const Estimate given = RunPls(arm.problem, datasets, {{"components", components}});
  CHECK(!given.diagnostics.contains("left_out_rms"));
  CHECK((given.x - chosen.x).norm() < 1e-9 * given.x.norm());  // sums in another order
}

/// Samples of a recording from `first` on.
Dataset Part(const Dataset& dataset, Eigen::Index first, Eigen::Index count) {
  Dataset part = dataset.WithoutChannels();
  for (Channel channel : dataset.channels()) {
    channel.time_s = channel.time_s.segment(first, count).eval();
    channel.samples = channel.samples.middleRows(first, count).eval();
    part.Add(std::move(channel));
  }
  return part;
}

TEST_CASE("What is left out is predicted from the rest alone, and the least error is chosen") {
  const DrivenArm arm;
  const Dataset whole = arm.Record("a", 16.0, kPaperNoise);
  const Dataset parts[] = {Part(whole, 0, 800), Part(whole, 800, 800)};
  const Estimate chosen = RunPls(arm.problem, {whole}, {{"folds", 2}});
  REQUIRE_MESSAGE(chosen.ok(), chosen.reason);
  const auto left_out_rms = [&](int components) {
    double squares = 0.0, count = 0.0;
    for (int fold = 0; fold < 2; ++fold) {
      const Estimate other = RunPls(arm.problem, {parts[1 - fold]}, {{"components", components}});
      const std::vector<Dataset> left = {parts[fold]};
      const Eigen::MatrixXd residual = RegressionRows(arm.problem, left).Residuals(other.x)[0];
      squares += residual.squaredNorm();
      count += static_cast<double>(residual.size());
    }
    return std::sqrt(squares / count);
  };
  const auto best = static_cast<int>(chosen.diagnostics.at("components"));
  const double least = chosen.diagnostics.at("left_out_rms");
  CHECK(left_out_rms(best) == doctest::Approx(least).epsilon(1e-9));
  // Round-off may decide between neighbours.
  for (const int components : {8, 20, best - 1, best + 1, 90}) {
    CAPTURE(components);
    CHECK(left_out_rms(components) > least * (1.0 - 1e-9));
  }
  CHECK(left_out_rms(8) > 1.1 * least);
}

TEST_CASE("In other units of what motors are fed the same robot is found, with scaled columns") {
  const DrivenArm arm;
  const Dataset dataset = arm.Record("a", 20.0, kPaperNoise);
  Dataset in_thousandths = dataset.WithoutChannels();
  for (Channel channel : dataset.channels()) {
    if (channel.name == kMotorPwm) channel.samples *= 1000.0;
    in_thousandths.Add(std::move(channel));
  }
  const auto first_gain = [&](const Dataset& data, bool scale) {
    return arm.GainRatios(
        RunPls(arm.problem, {data}, {{"components", 30}, {"scale_columns", scale}}).x)[0];
  };
  CHECK(first_gain(in_thousandths, true) * 1000.0 ==
        doctest::Approx(first_gain(dataset, true)).epsilon(1e-9));
  CHECK(std::abs(first_gain(in_thousandths, false) * 1000.0 / first_gain(dataset, false) - 1.0) >
        0.01);
}

TEST_CASE("A dead zone leaves out rows of drives, and those of the sensor count on") {
  const DrivenArm arm;
  Dataset dataset = arm.Record("a", 20.0, {});
  // Where some joint is slow, what motors are fed is nonsense.
  Dataset spoiled = dataset.WithoutChannels();
  const Eigen::MatrixXd qd = dataset.Get(kJointVelocity).samples;
  for (Channel channel : dataset.channels()) {
    for (Eigen::Index k = 0; k < qd.rows() && channel.name == kMotorPwm; ++k) {
      if ((qd.row(k).head(4).array().abs() < 0.1).any()) channel.samples.row(k).setConstant(7.0);
    }
    spoiled.Add(std::move(channel));
  }
  const Json zone = {0.1, 0.1, 0.1, 0.1, 0, 0};
  const Estimate with =
      RunPls(arm.problem, {spoiled}, {{"components", 90}, {"dead_zone_rad_s", zone}});
  REQUIRE_MESSAGE(with.ok(), with.reason);
  CHECK((arm.GainRatios(with.x).array() - 1.0).abs().maxCoeff() < 1e-6);
  const Estimate without = RunPls(arm.problem, {spoiled}, {{"components", 90}});
  CHECK((arm.GainRatios(without.x).array() - 1.0).abs().maxCoeff() > 0.1);
}

TEST_CASE("What cannot give latent variables is refused by name") {
  DrivenArm arm;
  const std::vector<Dataset> datasets = {arm.Record("a", 5.0, {})};
  CHECK(RunPls(arm.problem, datasets, {{"dead_zone_rad_s", {0.1, 0.1}}}).reason ==
        "dead_zone_rad_s has 2 numbers, the robot has 6 joints");
  Problem of_sensor = arm.problem;
  of_sensor.rows.erase(of_sensor.rows.begin());
  CHECK(RunPls(of_sensor, datasets, {{"dead_zone_rad_s", 0.1}}).reason ==
        "dead_zone_rad_s leaves out rows of drives, and no equation is of drives: see "
        "/problem/equations for dead zones of others");
  CHECK(RunPls(of_sensor, datasets, {{"components", 5}}).ok());
  Problem of_drives = arm.problem;
  of_drives.rows.pop_back();
  const Estimate none = RunPls(of_drives, datasets, {{"components", 5}});
  CHECK(none.outcome == Outcome::kRankDeficient);
  CHECK(none.reason ==
        "nothing stands on the measured side of the equations: rows of drives alone hold for all "
        "multiples of their unknowns; add the equation of a force/torque sensor, or known gains");
  CHECK(RunPls(arm.problem, {arm.Record("a", 0.2, {})}, {{"folds", 25}}).reason ==
        "20 samples are fewer than 25 folds");
  CHECK(RunPls(arm.problem, {arm.Record("a", 0.05, {})}, Json::object()).reason ==
        "5 samples of 10 equations are fewer than 98 unknowns");
}

}  // namespace
}  // namespace idbench
