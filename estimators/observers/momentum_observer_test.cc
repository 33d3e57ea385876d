#include "estimators/observers/momentum_observer.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/observers/observers_test.h"
#include "robots/robot.h"
#include "robots/term_options.h"

namespace idbench {
namespace {

constexpr double kGain = 8.0;

/// Samples every `step` ones of a recording at 100 Hz, with a torque that the outside exerts on
/// joint 3 from the first sample behind 0.5 s on.
Dataset Stepped(const Synthetic& robot, Eigen::Index step, double torque) {
  const Dataset whole = robot.Record("w", 401, {}, 0, Role::kApplication);
  Dataset thinned = whole.WithoutChannels();
  for (Channel channel : whole.channels()) {
    const auto kept = Eigen::seq(0, 400, step);
    const Eigen::VectorXd time_s = channel.time_s(kept);
    Eigen::MatrixXd samples = channel.samples(kept, Eigen::all);
    if (channel.name == kJointTorque) {
      for (Eigen::Index k = 0; k < samples.rows(); ++k) samples(k, 3) -= torque;
    }
    channel.time_s = time_s;
    channel.samples = samples;
    thinned.Add(std::move(channel));
  }
  return thinned;
}

/// Largest difference of ρ from K·torque's step response, all joints.
double ResponseError(const Synthetic& robot, Eigen::Index step) {
  constexpr double kTorque = 2.5;
  const Dataset dataset = Stepped(robot, step, kTorque);
  const ModelResidual residual =
      MomentumResidual(robot.problem, robot.pi, dataset, JointTorqueRows(robot.problem, 3), kGain);
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(residual.r.rows(), 7);
  expected.col(3) = -kTorque * (1.0 - (-kGain * residual.time_s.array()).exp());
  return (residual.r - expected).cwiseAbs().maxCoeff();
}

TEST_CASE("A step of external torque is followed as by a first order, with an error of order two") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const double at_100_hz = ResponseError(robot, 1);
  const double at_50_hz = ResponseError(robot, 2);
  const double at_25_hz = ResponseError(robot, 4);
  CHECK(at_100_hz < 0.05);  // of torques of up to 100 N·m on a motion with 30 rad/s²
  // The trapezoidal rule: a quarter at half the step, in the limit.
  CHECK(at_50_hz / at_100_hz == doctest::Approx(4.0).epsilon(0.1));
  CHECK(at_25_hz / at_50_hz == doctest::Approx(4.0).epsilon(0.3));
}

TEST_CASE("Rotor inertia and friction are a part of the model") {
  Synthetic robot("barrett_wam7", "standard", {Equation::kTorque}, {0.05},
                  {JointParameter::kViscous, JointParameter::kCoulomb, JointParameter::kOffset,
                   JointParameter::kRotorInertia});
  for (int joint = 0; joint < 7; ++joint) {
    robot.pi[ParameterLayout(7).Joint(joint, JointParameter::kRotorInertia)] = 0.3;
    robot.pi[ParameterLayout(7).Joint(joint, JointParameter::kOffset)] = 1.5;
  }
  CHECK(ResponseError(robot, 1) < 0.1);
}

TEST_CASE("It finds a constant force without accelerations") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const Eigen::Vector3d f(4.0, -6.0, 9.0);
  const Dataset watched =
      WithoutChannel(Pushed(robot, robot.Record("w", 600, {}, 0, Role::kApplication),
                            [&](double) { return Eigen::Vector3d(f); }),
                     kJointAcceleration);
  const std::vector<Dataset> training = {robot.Record("a", 600, NoiseOf(7))};
  const auto observer =
      MakeObserverOf("momentum_observer", R"({"gain_per_s": 200, "least_condition": 0.2})");
  const Eigen::MatrixXd force =
      ValuesOf(Observe(*observer, robot, training, watched), kExternalForce).bottomRows(550);
  const Difference difference = DifferenceOf(force, f.transpose().replicate(force.rows(), 1));
  CHECK(difference.finite > 100);
  // J_vᵀf moves by some 10 N·m/s, of which 1/K is lag, and the integrator is off by some 0.01 N·m.
  CHECK(difference.largest < 2.0);
}

TEST_CASE("The observer forgets a sample that is missing") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const Dataset whole = robot.Record("w", 200, {}, 0, Role::kApplication);
  const Dataset gap = WithChannel(
      whole, kJointTorque, [](Eigen::MatrixXd& tau) { tau.row(60).setConstant(std::nan("")); });
  const JointRows rows = JointTorqueRows(robot.problem, 3);
  const Eigen::MatrixXd expected = MomentumResidual(robot.problem, robot.pi, whole, rows, kGain).r;
  const Eigen::MatrixXd r = MomentumResidual(robot.problem, robot.pi, gap, rows, kGain).r;
  CHECK(r.topRows(60) == expected.topRows(60));
  CHECK(r.row(60).array().isNaN().all());
  CHECK((r.row(61) - expected.row(61)).cwiseAbs().maxCoeff() < 0.2);  // a step of twice the length
  // e^(−8·1.3), of that.
  CHECK((r.row(190) - expected.row(190)).cwiseAbs().maxCoeff() < 1e-5);
}

/// The TX40, whose wrist is coupled, with losses and gains of its motors; its equations are those
/// of joint torques.
Synthetic WithDrives() {
  const Robot tx40 = LoadRobot("staubli_tx40");
  RobotModel model = tx40.model;
  std::vector<Issue> issues;
  model.SetTerms({});
  model.SetTerms(MakeTerms(
      {{.type = TermKind::kAsymmetric, .on = TermPlace::kMotors}, {.type = TermKind::kGain}}, model,
      "", issues));
  REQUIRE(issues.empty());
  const ParameterLayout layout(model);
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(layout.size());
  pi.head(layout.inertial_size()) = tx40.FindSet("")->pi.head(layout.inertial_size());
  pi.tail(std::ssize(model.terms())).setLinSpaced(0.5, 2.0);
  return {model, pi, "standard"};
}

/// The recording with what the motors are fed in place of torques: v = B·diag(gains)⁻¹ τ.
Dataset Driven(const Synthetic& robot, const Dataset& dataset) {
  const Eigen::VectorXd gains = robot.pi.tail(6);
  Dataset driven = dataset.WithoutChannels();
  for (Channel channel : dataset.channels()) {
    if (channel.name == kJointTorque) {
      channel.name = kMotorCurrent;
      channel.unit = "A";
      const Eigen::MatrixXd u =
          robot.model.actuation().B.partialPivLu().solve(channel.samples.transpose());
      channel.samples = u.transpose() * gains.cwiseInverse().asDiagonal();
    }
    driven.Add(std::move(channel));
  }
  return driven;
}

TEST_CASE("What coupled motors are fed, by their gains, stands for torques of the joints") {
  Synthetic robot = WithDrives();
  const Dataset watched = robot.Record("w", 300, NoiseOf(6), 0, Role::kApplication);
  const JointRows torques = JointTorqueRows(robot.problem, 1);
  const Eigen::MatrixXd expected =
      MomentumResidual(robot.problem, robot.pi, watched, torques, kGain).r;
  robot.problem.rows = {{.equation = Equation::kCurrentDrive}};
  const Dataset driven = Driven(robot, watched);
  const JointRows drives = JointTorqueRows(robot.problem, 1);
  const ModelResidual residual = MomentumResidual(robot.problem, robot.pi, driven, drives, kGain);
  // Round-off of torques of 100 N·m.
  CHECK((residual.r - expected).cwiseAbs().maxCoeff() < 1e-10);

  // Joints that no row covers do not count, nor what their motors are fed: the wrist's.
  robot.problem.rows = {{.equation = Equation::kCurrentDrive, .chosen = {0, 1, 2, 3}}};
  const Dataset part = WithChannel(
      driven, kMotorCurrent, [](Eigen::MatrixXd& v) { v.rightCols(2).setConstant(std::nan("")); });
  const ModelResidual arm =
      MomentumResidual(robot.problem, robot.pi, part, JointTorqueRows(robot.problem, 1), kGain);
  CHECK(arm.r == residual.r.leftCols(4));
  // A gain that is wrong is a torque that is.
  Eigen::VectorXd wrong = robot.pi;
  wrong.tail(6) *= 1.1;
  CHECK(MomentumResidual(robot.problem, wrong, part, JointTorqueRows(robot.problem, 1), kGain)
            .r.cwiseAbs()
            .maxCoeff() > 1.0);
  wrong.tail(6).setZero();
  CHECK_THROWS_WITH_AS(
      MomentumResidual(robot.problem, wrong, part, JointTorqueRows(robot.problem, 1), kGain),
      doctest::Contains("with the gains of the model, which are 0"), EstimationFailure);
}

TEST_CASE("A touch of any link that moves is told from a free motion, without a force") {
  const Synthetic robot("planar2", "standard");
  const Eigen::Vector2d sigma(0.05, 0.05);
  const std::vector<Dataset> training = {robot.Record("a", 3000, sigma)};
  const Dataset watched =
      WithChannel(robot.Record("w", 1000, sigma, 1, Role::kApplication), kJointTorque,
                  [](Eigen::MatrixXd& tau) { tau.bottomRows(500).col(0).array() -= 1.0; });
  const auto force = MakeObserverOf("momentum_observer");
  CHECK(force->gives() == std::vector<std::string_view>{kExternalForce});
  CHECK(force->detects() == Detects::kNothing);
  CHECK(force->WhyRefused(robot.problem) ==
        "takes the torques of at least 3 joints, the problem has rows of 2");
  const auto observer = MakeObserverOf("momentum_observer", R"({"gives": "contact"})");
  CHECK(observer->gives() == std::vector<std::string_view>{kStatistic});
  CHECK(observer->detects() == Detects::kContact);
  const Observation observation = Observe(*observer, robot, training, watched);
  const Eigen::VectorXd square = ValuesOf(observation, kStatistic).col(0);
  const Labels* const labels = FindNamed(observation.labels, kDetected);
  REQUIRE(labels != nullptr);
  // 1/K = 0.05 s behind the step two thirds of it are there.
  CHECK((labels->chosen.segment(510, 490).array() == 1).all());
  CHECK((labels->chosen.head(500).array() == 1).count() < 25);  // 1 % of them, that last 0.05 s
  // T² of the residual in the training data has as many degrees as rows there.
  const JointRows rows = JointTorqueRows(robot.problem, 1);
  const ModelResidual free = MomentumResidual(robot.problem, robot.pi, training[0], rows, 20.0);
  const ModelResidual touched = MomentumResidual(robot.problem, robot.pi, watched, rows, 20.0);
  const Eigen::Vector2d variance = free.r.array().square().colwise().mean();
  for (const Eigen::Index k : {100, 700}) {
    const double expected =
        (touched.r.row(k).transpose().array().square() / variance.array()).sum();
    CHECK(square[k] == doctest::Approx(expected).epsilon(1e-9));
  }
}

TEST_CASE("Data without velocities of all joints are refused") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const Dataset watched = robot.Record("w", 50);
  const auto observer = MakeObserverOf("momentum_observer");
  const Dataset narrow = WithChannel(watched, kJointVelocity, [](Eigen::MatrixXd& qd) {
    const Eigen::MatrixXd first = qd.leftCols(5);
    qd = first;
  });
  CHECK(Observe(*observer, robot, {}, narrow).reason ==
        "w: the channel 'joint_velocity' has 5 columns, expected 7");
  CHECK(Observe(*observer, robot, {}, WithoutChannel(watched, kJointVelocity)).outcome ==
        Outcome::kRefused);
}

}  // namespace
}  // namespace idbench
