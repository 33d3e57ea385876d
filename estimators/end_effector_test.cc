#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "estimators/interface/online_estimator.h"
#include "estimators/registry.h"
#include "estimators/synthetic_test.h"
#include "scenarios/options/json.h"

/// The wrench at the end effector as the measured side, whatever the method.
namespace idbench {
namespace {

constexpr Eigen::Index kRecordedSamples = 400;

Synthetic WamWithWrench(const std::string& parametrisation) {
  Synthetic robot("barrett_wam7", parametrisation, {Equation::kEndEffector}, {0.05}, {});
  robot.Declare(Eigen::VectorXd::Constant(6, 0.1), 0.5);
  return robot;
}

/// Moves `amplitude` [rad] about a pose with bent elbow and wrist, which is not singular.
Dataset Record(const Synthetic& robot, double amplitude) {
  const Eigen::RowVectorXd pose =
      (Eigen::RowVectorXd(7) << 0.2, 0.7, -0.3, 1.4, 0.4, 0.8, 0.1).finished();
  const Eigen::VectorXd t =
      Eigen::VectorXd::LinSpaced(kRecordedSamples, 0.0, 0.01 * (kRecordedSamples - 1));
  FixedStates states;
  for (Eigen::MatrixXd* matrix : {&states.q, &states.qd, &states.qdd})
    matrix->resize(kRecordedSamples, 7);
  for (Eigen::Index joint = 0; joint < 7; ++joint) {
    const double w = 2.0 + 1.3 * static_cast<double>(joint);
    const Eigen::ArrayXd phase = w * t.array() + 0.4 * static_cast<double>(joint * joint);
    states.q.col(joint) = pose[joint] + amplitude * phase.sin();
    states.qd.col(joint) = amplitude * w * phase.cos();
    states.qdd.col(joint) = -amplitude * w * w * phase.sin();
  }
  const Dynamics dynamics(robot.model);
  Dynamics::Scratch scratch(dynamics);
  Eigen::MatrixXd wrench(kRecordedSamples, 6);
  dynamics.Predict(Equation::kEndEffector, robot.pi, states.samples(), scratch, wrench);
  Dataset dataset("lead", Role::kIdentification);
  dataset.Add({std::string(kJointPosition), "rad", t, states.q, {}, Origin::kMeasured});
  dataset.Add({std::string(kJointVelocity), "rad/s", t, states.qd, {}, Origin::kMeasured});
  dataset.Add({std::string(kJointAcceleration), "rad/s²", t, states.qdd, {}, Origin::kMeasured});
  dataset.Add({std::string(kEndEffectorWrench), "N, N·m", t, wrench, {}, Origin::kMeasured});
  return dataset;
}

TEST_CASE("Base parameters are recovered from the wrench at the end effector alone") {
  const Synthetic robot = WamWithWrench("base");
  const std::vector<Dataset> datasets = {Record(robot, 0.35)};
  for (const char* type : {"ols", "wls"}) {
    const Estimate estimate = FindEstimator(type)->make()->Run(robot.problem, datasets);
    INFO(type << ": " << estimate.reason);
    REQUIRE(estimate.ok());
    // Exact but for round-off times the condition of the stacked rows.
    CHECK((estimate.x - robot.x()).norm() < 1e-8 * robot.x().norm());
  }
}

TEST_CASE("A filter learns masses and moments from the wrench at the end effector") {
  const Synthetic robot = WamWithWrench("masses_and_moments");
  const std::vector<Dataset> datasets = {Record(robot, 0.35)};
  const Eigen::VectorXd& prior = robot.problem.parameters.prior->mean;
  for (const char* type : {"ekf", "sigmoid_ekf"}) {
    const Estimate estimate = FindEstimator(type)->make()->Run(robot.problem, datasets);
    INFO(type << ": " << estimate.reason);
    REQUIRE(estimate.ok());
    const int mass = 3 * 4;  // of the fourth link, which moves most
    CHECK(std::abs(estimate.x[mass] - robot.x()[mass]) <
          0.1 * std::abs(prior[mass] - robot.x()[mass]));
  }
}

TEST_CASE("Least squares leave what the wrench at the end effector does not show at the prior") {
  const Synthetic robot = WamWithWrench("masses_and_moments");
  const std::vector<Dataset> datasets = {Record(robot, 0.35)};
  const Estimate rls = FindEstimator("rls")->make()->Run(robot.problem, datasets);
  REQUIRE_MESSAGE(rls.ok(), rls.reason);
  // The mass of link 1 and what its first joint does not turn, as in joint torques.
  CHECK(rls.diagnostics.at("base_parameters") <
        static_cast<double>(robot.problem.parameters.size()));
  const std::unique_ptr<Estimator> ekf = FindEstimator("ekf")->make();
  std::vector<Issue> issues;
  ReadFields(ekf->Fields(), {{"process_noise", 0.0}}, "", issues);
  REQUIRE(issues.empty());
  const Estimate same = ekf->Run(robot.problem, datasets);
  REQUIRE_MESSAGE(same.ok(), same.reason);
  const Eigen::VectorXd& prior = robot.problem.parameters.prior->mean;
  // Two filters of the same problem; the covariance form loses digits.
  CHECK((rls.x - same.x).norm() < 1e-6 * (prior - same.x).norm());
}

TEST_CASE(
    "Near a singular configuration the wrench is refused by name, and by a live filter left out") {
  const Synthetic robot = WamWithWrench("masses_and_moments");
  const std::vector<Dataset> datasets = {Record(robot, 1.4)};
  for (const char* type : {"ols", "ekf"}) {
    const Estimate estimate = FindEstimator(type)->make()->Run(robot.problem, datasets);
    CHECK(estimate.outcome == Outcome::kRefused);
    CHECK(estimate.reason ==
          "lead: near a singular configuration at sample 3 (t = 0.02 s): the end effector's "
          "Jacobian has the reciprocal condition 0.019, a wrench there takes at least 0.02; keep "
          "the motion away from it");
  }
  const std::unique_ptr<Estimator> made = FindEstimator("ekf")->make();
  auto& filter = dynamic_cast<OnlineEstimator&>(*made);
  filter.Begin(robot.problem);
  Sample sample(robot.problem);
  for (Eigen::Index k = 0; k < kRecordedSamples; ++k) {
    sample.t_s = 0.01 * static_cast<double>(k);
    sample.q = datasets[0].Get(kJointPosition).samples.row(k);
    sample.qd = datasets[0].Get(kJointVelocity).samples.row(k);
    sample.qdd = datasets[0].Get(kJointAcceleration).samples.row(k);
    sample.y = datasets[0].Get(kEndEffectorWrench).samples.row(k);
    filter.Update(sample);
  }
  const Estimate estimate = filter.Current();
  REQUIRE(estimate.ok());
  const double left_out = estimate.diagnostics.at("rows_left_out");
  CHECK(left_out > 0.0);
  CHECK(left_out < 6.0 * kRecordedSamples);
}

}  // namespace
}  // namespace idbench
