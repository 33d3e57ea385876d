#include "estimators/motors/drive_nls.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/motors/driven_arm_test.h"
#include "estimators/solvers/regression_rows.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

const DrivenArm::Noise kPlainNoise{.pwm_pct = 0.05, .force_n = 0.15, .moment_nm = 0.005};

Estimate RunNls(const Problem& problem, const std::vector<Dataset>& datasets,
                const Json& options = Json::object()) {
  DriveNls method;
  std::vector<Issue> issues;
  ReadFields(method.Fields(), options, "", issues);
  REQUIRE(issues.empty());
  return method.Run(problem, datasets);
}

double WorstGain(const DrivenArm& arm, const Estimate& estimate) {
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  return (arm.GainRatios(estimate.x).array() - 1.0).abs().maxCoeff();
}

TEST_CASE("Without noise the gains are exact, from wherever they begin") {
  DrivenArm arm;
  const std::vector<Dataset> datasets = {arm.Record("a", 20.0, {})};
  CHECK(WorstGain(arm, RunNls(arm.problem, datasets)) < 1e-8);  // round-off times the condition
  for (const double factor : {0.05, 20.0}) {
    CAPTURE(factor);
    arm.problem.parameters.prior = Parametrisation::Prior{factor * arm.x(), std::nullopt};
    CHECK(WorstGain(arm, RunNls(arm.problem, datasets)) < 1e-8);
  }
}

TEST_CASE("Known gains leave all else to be found") {
  const DrivenArm arm;
  const Problem known = arm.WithKnownGains();
  const std::vector<Dataset> datasets = {arm.Record("a", 20.0, {})};
  const Estimate estimate = RunNls(known, datasets);
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  const RegressionRows rows(known, datasets);
  CHECK(rows.Residuals(estimate.x)[0].cwiseAbs().maxCoeff() < 1e-6);
}

TEST_CASE("Spikes of what is measured hardly move gains, and squares of them do") {
  const DrivenArm arm;
  const Dataset recorded = arm.Record("a", 30.0, kPlainNoise);
  Dataset spiked = recorded.WithoutChannels();
  for (Channel channel : recorded.channels()) {
    if (channel.name == kMotorPwm) {
      for (Eigen::Index k = 0; k < channel.samples.rows(); k += 50) {
        channel.samples.row(k).array() += 30.0;
      }
    }
    spiked.Add(std::move(channel));
  }
  const double robust = WorstGain(arm, RunNls(arm.problem, {spiked}));
  const double squares = WorstGain(arm, RunNls(arm.problem, {spiked}, {{"huber", nullptr}}));
  CHECK(robust < 0.2 * squares);
}

TEST_CASE("The stated σ of gains is that of their errors") {
  const DrivenArm arm;
  constexpr int kTrials = 10;
  double squares = 0.0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Estimate estimate = RunNls(arm.problem, {arm.Record("a", 20.0, kPlainNoise, trial)});
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    REQUIRE(estimate.combinations);
    REQUIRE(estimate.combinations->covariance);
    const Eigen::VectorXd sigma = *estimate.sigma();
    for (int i = 0; i < 4; ++i) {
      const Eigen::Index at = arm.IndexOf("motor" + std::to_string(i) + ".gain");
      squares += std::pow((estimate.x[at] - arm.x()[at]) / sigma[at], 2) / (4.0 * kTrials);
    }
  }
  // 40 squares, a few of them correlated: χ²/40 within four of its standard deviations.
  CHECK(squares > 0.25);
  CHECK(squares < 1.9);
}

TEST_CASE("A fit whose rounds do not suffice, or whose data show too little, says so") {
  const DrivenArm arm;
  const Estimate stopped =
      RunNls(arm.problem, {arm.Record("a", 20.0, kPlainNoise)}, {{"rounds", 1}});
  CHECK(stopped.outcome == Outcome::kNotConverged);
  CHECK(stopped.reason.starts_with("the prediction still moves by "));
  CHECK(stopped.reason.ends_with(" of itself after 1 rounds of weights; set \"rounds\" higher"));
  Dataset recorded = arm.Record("a", 20.0, kPlainNoise), still = recorded.WithoutChannels();
  for (Channel channel : recorded.channels()) {
    if (channel.name == kJointVelocity) channel.samples.col(3).setZero();
    still.Add(std::move(channel));
  }
  const Estimate poor = RunNls(arm.problem, {still});
  CHECK(poor.outcome == Outcome::kRankDeficient);
  CHECK(poor.reason.find("r_elbow.fv+") != std::string::npos);
  // Rows of joints 0 and 1 count in turn, never both.
  Dataset alternating = recorded.WithoutChannels();
  for (Channel channel : recorded.channels()) {
    for (Eigen::Index k = 0; k < channel.samples.rows() && channel.name == kJointVelocity; ++k) {
      channel.samples(k, k % 2) = 0.0;
      channel.samples(k, 1 - k % 2) = 1.0;
    }
    alternating.Add(std::move(channel));
  }
  Problem zoned = arm.problem;
  zoned.rows[0].dead_zone = Eigen::VectorXd{{0.05, 0.05, 0.0, 0.0, 0.0, 0.0}};
  CHECK(RunNls(zoned, {alternating}).reason ==
        "no sample is left outside the dead zones of all rows that 'motor0' drives");
}

}  // namespace
}  // namespace idbench
