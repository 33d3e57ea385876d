#include "estimators/observers/observers_test.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "robots/dynamics/kinematics.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

Eigen::Vector3d EndEffectorAt(const RobotModel& model, const Eigen::VectorXd& q) {
  const EndEffector& E = model.end_effector();
  const Pose pose = ForwardKinematics(model, q)[static_cast<std::size_t>(E.link)];
  return pose.p_BL_B + pose.R_BL * E.p_LE_L;
}

}  // namespace

Eigen::VectorXd NoiseOf(int joints) { return Eigen::VectorXd::LinSpaced(joints, 0.5, 0.05); }

Synthetic ArmOf(const std::string& robot) {
  Synthetic arm(robot, "standard");
  arm.Declare(NoiseOf(arm.model.dofs()), 0.2);
  return arm;
}

Estimate TruthOf(const Synthetic& robot) {
  Estimate model;
  model.x = robot.x();
  model.pi = robot.pi;
  return model;
}

Dataset Pushed(const Synthetic& robot, const Dataset& dataset,
               const std::function<Eigen::Vector3d(double)>& force) {
  const Channel& position = dataset.Get(kJointPosition);
  constexpr double kStep = 1e-5;  // rad: truncation and round-off of about 1e-10 m each
  return WithChannel(dataset, kJointTorque, [&](Eigen::MatrixXd& tau) {
    for (Eigen::Index k = 0; k < tau.rows(); ++k) {
      for (Eigen::Index joint = 0; joint < tau.cols(); ++joint) {
        Eigen::VectorXd q = position.samples.row(k).transpose();
        q[joint] += kStep;
        const Eigen::Vector3d ahead = EndEffectorAt(robot.model, q);
        q[joint] -= 2.0 * kStep;
        const Eigen::Vector3d moved = (ahead - EndEffectorAt(robot.model, q)) / (2.0 * kStep);
        tau(k, joint) -= moved.dot(force(position.time_s[k]));
      }
    }
  });
}

Dataset FirstSamples(const Dataset& dataset, Eigen::Index count) {
  Dataset first = dataset.WithoutChannels();
  for (Channel channel : dataset.channels()) {
    channel.time_s.conservativeResize(count);
    channel.samples.conservativeResize(count, Eigen::NoChange);
    first.Add(std::move(channel));
  }
  return first;
}

std::unique_ptr<Observer> MakeObserverOf(std::string_view type, std::string_view options) {
  std::unique_ptr<Observer> observer = FindObserver(type)->make();
  std::vector<Issue> issues;
  ReadFields(observer->Fields(), Json::parse(options), "", issues);
  CHECK(issues.empty());
  return observer;
}

Observation Observe(Observer& observer, const Synthetic& robot,
                    const std::vector<Dataset>& training, const Dataset& watched) {
  return observer.Observe(robot.problem, TruthOf(robot), training, watched);
}

Eigen::MatrixXd ValuesOf(const Observation& observation, std::string_view series) {
  REQUIRE_MESSAGE(observation.ok(), observation.reason);
  const Series* const found = FindNamed(observation.series, series);
  REQUIRE(found != nullptr);
  return found->values;
}

Difference DifferenceOf(const Eigen::MatrixXd& values, const Eigen::MatrixXd& expected) {
  Difference difference;
  for (Eigen::Index k = 0; k < values.rows(); ++k) {
    if (!values.row(k).allFinite()) continue;
    ++difference.finite;
    difference.largest =
        std::max(difference.largest, (values.row(k) - expected.row(k)).lpNorm<Eigen::Infinity>());
  }
  return difference;
}

}  // namespace idbench
