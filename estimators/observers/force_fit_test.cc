#include "estimators/observers/force_fit.h"

#include <doctest/doctest.h>

#include <Eigen/SVD>
#include <cmath>
#include <numbers>

#include "estimators/observers/observers_test.h"
#include "robots/random/random_stream.h"

namespace idbench {
namespace {

/// A pose with bent elbow and wrist.
const Eigen::RowVectorXd kBent =
    (Eigen::RowVectorXd(7) << 0.2, 0.7, -0.3, 1.4, 0.4, 0.8, 0.1).finished();

std::vector<int> AllOf(int joints) {
  std::vector<int> all;
  for (int j = 0; j < joints; ++j) all.push_back(j);
  return all;
}

Eigen::MatrixXd JacobianOf(const RobotModel& model, const Eigen::RowVectorXd& q) {
  return PointJacobian(model, q.transpose(), model.end_effector().link, model.end_effector().p_LE_L)
      .topRows(3);
}

TEST_CASE("A load that hangs at the end effector is a force downwards") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const EndEffector& E = robot.model.end_effector();
  CentralInertia load;
  load.mass = 2.0;
  load.com = E.p_LE_L;
  Eigen::VectorXd loaded = robot.pi;
  loaded.segment<kInertialCount>(ParameterLayout(7).Body(E.link)) += ToStandard(load);
  const Dynamics dynamics(robot.model, robot.problem.friction);
  Dynamics::Scratch scratch(dynamics);
  const Eigen::VectorXd q = kBent.transpose(), rest = Eigen::VectorXd::Zero(7);
  Eigen::VectorXd with(7), without(7);
  dynamics.InverseDynamics(loaded, q, rest, rest, scratch, with);
  dynamics.InverseDynamics(robot.pi, q, rest, rest, scratch, without);
  const Eigen::MatrixXd R = NoiseOf(7).array().square().matrix().asDiagonal();
  ForceFit fit(robot.model, AllOf(7), R);
  REQUIRE(fit.MoveTo(kBent) > 0.1);
  const Eigen::Vector3d f = fit.Solve((with - without).transpose());
  CHECK((f - 2.0 * robot.model.gravity()).norm() < 1e-11);  // round-off of torques of 50 N·m
}

TEST_CASE("Forces that the noise of torques makes are as far off as the fit says") {
  const Synthetic robot = ArmOf("barrett_wam7");
  Eigen::MatrixXd L = NoiseOf(7).asDiagonal();
  for (Eigen::Index i = 0; i < 7; ++i) {
    for (Eigen::Index j = 0; j < i; ++j) L(i, j) = 0.05 * static_cast<double>(i + j) / 12.0;
  }
  ForceFit fit(robot.model, AllOf(7), L * L.transpose());
  REQUIRE(fit.MoveTo(kBent) > 0.1);
  const Eigen::MatrixXd J = JacobianOf(robot.model, kBent);
  const Eigen::Matrix3d information = J * (L * L.transpose()).llt().solve(J.transpose());
  const RandomStream stream(3, 0, "force");
  constexpr int kTrials = 20000;
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (int trial = 0; trial < kTrials; ++trial) {
    Eigen::VectorXd e(7);
    for (Eigen::Index j = 0; j < 7; ++j) {
      e[j] = stream.Normal(static_cast<std::uint64_t>(j), static_cast<std::uint64_t>(trial));
    }
    const Eigen::Vector3d f = fit.Solve((L * e).transpose());
    sum += f * f.transpose();
  }
  // Of whitened forces the covariance is 1, to 4 standard deviations √(2/n) of a variance.
  const Eigen::LLT<Eigen::Matrix3d> root(information);
  const Eigen::Matrix3d whitened = root.matrixU() * (sum / kTrials) * root.matrixL();
  CHECK((whitened - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() <
        4.0 * std::sqrt(2.0 / kTrials));
}

TEST_CASE("The condition of a fit is that of the Jacobian") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const Eigen::MatrixXd R = Eigen::MatrixXd::Identity(7, 7);
  ForceFit fit(robot.model, AllOf(7), R);
  const Eigen::MatrixXd J = JacobianOf(robot.model, kBent);
  const Eigen::VectorXd values = Eigen::JacobiSVD<Eigen::MatrixXd>(J).singularValues();
  CHECK(fit.MoveTo(kBent) == doctest::Approx(values[2] / values[0]).epsilon(1e-9));
  CHECK(fit.MoveTo(Eigen::RowVectorXd::Zero(7)) < 1e-6);  // E above the base: nothing lifts it
  Eigen::RowVectorXd unknown = kBent;
  unknown[3] = std::nan("");
  CHECK(std::isnan(fit.MoveTo(unknown)));
}

TEST_CASE("Rows of drives stand for joint torques where there are none") {
  Synthetic robot = ArmOf("barrett_wam7");
  CHECK(JointTorqueRows(robot.problem, 3).equation.equation == Equation::kTorque);
  robot.problem.rows = {{.equation = Equation::kWrench}, {.equation = Equation::kTorqueDrive}};
  CHECK(JointTorqueRows(robot.problem, 3).equation.equation == Equation::kTorqueDrive);
  robot.problem.rows = {{.equation = Equation::kTorque, .chosen = {0, 2, 3}}};
  CHECK(JointTorqueRows(robot.problem, 3).joints == std::vector{0, 2, 3});
  CHECK_THROWS_WITH_AS(JointTorqueRows(robot.problem, 6),
                       "takes the torques of at least 6 joints, the problem has rows of 3",
                       EstimationFailure);
  robot.problem.rows = {{.equation = Equation::kWrench}};
  CHECK_THROWS_WITH_AS(JointTorqueRows(robot.problem, 3),
                       "takes residuals of joint torques or drives, and no equation of the problem "
                       "has such rows",
                       EstimationFailure);
}

TEST_CASE("The low-pass follows a step as a first order does, and passes over gaps") {
  const Eigen::VectorXd time_s = Eigen::VectorXd::LinSpaced(101, 0.0, 1.0);
  Eigen::MatrixXd step = Eigen::MatrixXd::Constant(101, 1, 3.0);
  step(0, 0) = 1.0;
  step(40, 0) = std::nan("");
  LowPass(time_s, 0.7, step);
  for (Eigen::Index k = 0; k < 101; ++k) {
    if (k == 40) {
      CHECK(std::isnan(step(k, 0)));
      continue;
    }
    const double expected = 3.0 - 2.0 * std::exp(-2.0 * std::numbers::pi * 0.7 * time_s[k]);
    CHECK(step(k, 0) == doctest::Approx(expected).epsilon(1e-12));  // round-off of 100 steps
  }
}

}  // namespace
}  // namespace idbench
