#include "estimators/motors/two_stage.h"

#include <doctest/doctest.h>

#include "estimators/motors/driven_arm_test.h"
#include "estimators/solvers/regression_rows.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

Estimate RunTwoStage(const Problem& problem, const std::vector<Dataset>& datasets,
                     const Json& options = Json::object()) {
  TwoStage method;
  std::vector<Issue> issues;
  ReadFields(method.Fields(), options, "", issues);
  REQUIRE(issues.empty());
  return method.Run(problem, datasets);
}

TEST_CASE("Without noise two stages find the gains, and what all rows show") {
  const DrivenArm arm;
  const std::vector<Dataset> datasets = {arm.Record("a", 20.0, {})};
  const Estimate estimate = RunTwoStage(arm.problem, datasets);
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  // Round-off times the condition of both stages.
  CHECK((arm.GainRatios(estimate.x).array() - 1.0).abs().maxCoeff() < 1e-7);
  const RegressionRows rows(arm.problem, datasets);
  CHECK(rows.Residuals(estimate.x)[0].cwiseAbs().maxCoeff() < 1e-6);
  CHECK(!estimate.knows_hidden);
  CHECK(estimate.notes.at("covariance") ==
        "none stated: the second stage takes what the first one finds for exact");
}

TEST_CASE("Noise of what motors are fed does not shrink gains") {
  const DrivenArm arm;
  const DrivenArm::Noise strong{.pwm_pct = 0.3, .force_n = 0.02, .moment_nm = 0.001};
  Eigen::Vector4d mean = Eigen::Vector4d::Zero();
  constexpr int kTrials = 6;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Estimate estimate = RunTwoStage(arm.problem, {arm.Record("a", 60.0, strong, trial)});
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    mean += arm.GainRatios(estimate.x) / kTrials;
  }
  // The spread of one trial is 3 %.
  CHECK((mean.array() - 1.0).abs().maxCoeff() < 0.04);
}

TEST_CASE("Without a measured side there is no first stage") {
  const DrivenArm arm;
  Problem problem = arm.problem;
  problem.rows.pop_back();
  CHECK(RunTwoStage(problem, {arm.Record("a", 5.0, {})}).reason ==
        "the first stage needs rows with a measured side (a force/torque sensor's wrench), and all "
        "equations are of drives");
}

TEST_CASE("A motor that is fed against the torque that it exerts is told") {
  const DrivenArm arm;
  const Dataset recorded = arm.Record("a", 20.0, {});
  Dataset turned = recorded.WithoutChannels();
  for (Channel channel : recorded.channels()) {
    if (channel.name == kMotorPwm) channel.samples.col(3) *= -1.0;
    turned.Add(std::move(channel));
  }
  const Estimate estimate = RunTwoStage(arm.problem, {turned});
  CHECK(estimate.outcome == Outcome::kRankDeficient);
  CHECK(estimate.reason ==
        "what 'motor3' is fed does not grow with the torque that measured rows tell (-1.41 per "
        "unit of it): move joints beyond the sensor more, or give the gain");
}

TEST_CASE("Noise that moves the arm biases gains, but for instruments of the desired motion") {
  const DrivenArm arm;
  const DrivenArm::Noise swings{.swing_rad = 0.02};
  Eigen::Vector4d plain = Eigen::Vector4d::Zero(), along = Eigen::Vector4d::Zero();
  constexpr int kTrials = 2;
  for (int trial = 0; trial < kTrials; ++trial) {
    const std::vector<Dataset> datasets = {arm.Record("a", 240.0, swings, trial)};
    const Estimate biased = RunTwoStage(arm.problem, datasets);
    const Estimate estimate = RunTwoStage(arm.problem, datasets, {{"instruments", Json::object()}});
    REQUIRE_MESSAGE(biased.ok(), biased.reason);
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    plain += arm.GainRatios(biased.x) / kTrials;
    along += arm.GainRatios(estimate.x) / kTrials;
  }
  CAPTURE(plain.transpose());
  CAPTURE(along.transpose());
  CHECK((plain.array() - 1.0).abs().maxCoeff() > 0.05);
  CHECK((along.array() - 1.0).abs().maxCoeff() < 0.01);
}

TEST_CASE("Instruments of samples in a dead zone are none, at the end of a recording too") {
  DrivenArm arm;
  const DrivenArm::Noise still{.swing_rad = 1e-9};
  const Dataset recorded = arm.Record("a", 60.0, still);
  Dataset standing = recorded.WithoutChannels();
  for (Channel channel : recorded.channels()) {
    // The last second does not count in the rows of drives, whatever stands there.
    if (channel.name == kJointVelocity) channel.samples.bottomRows(100).setZero();
    standing.Add(std::move(channel));
  }
  const Json options = {{"instruments", Json::object()}, {"dead_zone_rad_s", 0.01}};
  // Rows of the sensor end with the recording, those of drives before it.
  arm.problem.rows[1].dead_zone = Eigen::VectorXd::Constant(6, 0.01);
  arm.problem.rows[1].dead_zone_of = DeadZoneOf::kSample;
  const Estimate estimate = RunTwoStage(arm.problem, {standing}, options);
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  // Nothing is noisy: round-off, over what instruments leave of the columns.
  CHECK((arm.GainRatios(estimate.x).array() - 1.0).abs().maxCoeff() < 1e-4);
}

TEST_CASE("Known gains leave what is open, along instruments or not") {
  const DrivenArm arm;
  const Problem known = arm.WithKnownGains();
  const DrivenArm::Noise still{.swing_rad = 1e-9};
  const std::vector<Dataset> datasets = {arm.Record("a", 60.0, still)};
  for (const Json& options : {Json::object(), Json{{"instruments", Json::object()}}}) {
    const Estimate estimate = RunTwoStage(known, datasets, options);
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    const RegressionRows rows(known, datasets);
    CHECK(rows.Residuals(estimate.x)[0].cwiseAbs().maxCoeff() < 1e-5);
  }
}

}  // namespace
}  // namespace idbench
