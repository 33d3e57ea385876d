#include "bench/lab_checks/lab_regressor.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace idbench {
namespace {

double LargestRms(const Eigen::MatrixXd& columns) {
  return std::sqrt(
      (columns.colwise().squaredNorm() / static_cast<double>(columns.rows())).maxCoeff());
}

/// σ of π by a trust of 1. Links that are light in the file, perhaps placeholders, count as a fifth
/// of the mean one.
Eigen::VectorXd SigmaOf(const Robot& robot, const LabRows& rows, const ParameterLayout& layout) {
  const int n = layout.dofs();
  const Eigen::VectorXd& pi = robot.FindSet("")->pi;
  double mass = 0.0, length = 0.0;
  for (int i = 0; i < n; ++i) {
    mass += std::abs(pi[layout.Body(i)]) / n;
    length += robot.model.link(i).p0.norm() / n;
  }
  length = std::max(length, 0.05);
  if (mass <= 0.0) mass = 1.0;
  Eigen::VectorXd sigma = Eigen::VectorXd::Zero(layout.size());
  for (int i = 0; i < n; ++i) {
    const double m = std::max(std::abs(pi[layout.Body(i)]), 0.2 * mass);
    sigma[layout.Body(i)] = m;
    sigma.segment<3>(layout.Body(i) + 1).setConstant(m * length);
    sigma.segment<6>(layout.Body(i) + 4).setConstant(m * length * length);
  }
  const DataChange none = DataChange::None(robot.model);
  const double torque = LargestRms(rows.Torques(0.0)) + 1e-300;
  for (int j = 0; j < n; ++j) {
    constexpr double kFree = 10.0;  // beside any trust
    sigma[layout.Joint(j, JointParameter::kViscous)] =
        kFree * torque / (LargestRms(rows.Velocities(none)) + 1e-300);
    sigma[layout.Joint(j, JointParameter::kCoulomb)] = kFree * torque;
    sigma[layout.Joint(j, JointParameter::kOffset)] = kFree * torque;
    sigma[layout.Joint(j, JointParameter::kRotorInertia)] =
        torque / (LargestRms(rows.Accelerations(none)) + 1e-300);
  }
  return sigma;
}

/// Base parameters of gravity in no special direction: with it, all that any other one shows.
BaseParameters BaseOfAnyGravity(const RobotModel& model) {
  const RobotModel tilted = UnderGravity(model, {3.1, 4.7, -8.0});
  const std::vector<int> considered =
      ConsideredParameters(tilted, {Equation::kTorque},
                           {JointParameter::kViscous, JointParameter::kCoulomb,
                            JointParameter::kOffset, JointParameter::kRotorInertia});
  return FindBaseParameters(tilted, {Equation::kTorque}, considered);
}

}  // namespace

Eigen::VectorXd InertiasOf(const Robot& robot, const ParameterLayout& layout) {
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(layout.size());
  pi.head(layout.links_size()) = robot.FindSet("")->pi.head(layout.links_size());
  return pi;
}

LabParameters::LabParameters(const Robot& robot, const LabRows& rows)
    : robot_(robot), base_(BaseOfAnyGravity(robot.model)) {
  const ParameterLayout layout(UnderGravity(robot.model, robot.model.gravity()));
  mean_ = base_.B * InertiasOf(robot, layout);
  sigma_ = SigmaOf(robot, rows, layout);
  covariance_ = base_.B * sigma_.cwiseAbs2().asDiagonal() * base_.B.transpose();
  information_ =
      covariance_.llt().solve(Eigen::MatrixXd::Identity(covariance_.rows(), covariance_.cols()));
}

LabRegressor::LabRegressor(const Robot& robot, const BaseParameters& base,
                           const Eigen::Vector3d& gravity)
    : model(UnderGravity(robot.model, gravity)),
      columns(base.independent),
      dynamics(model),
      rows(dynamics, {Equation::kTorque}, columns) {}

}  // namespace idbench
