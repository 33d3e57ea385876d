#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "bench/lab_checks/lab_rows.h"
#include "robots/dynamics/dynamics.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/dynamics/rows.h"
#include "robots/robot.h"

namespace idbench {

/// Base parameters β of a robot's torques, and fv, fc, fo and ia of each joint among them, under
/// gravity in any direction; and what the file makes likely of them.
class LabParameters {
 public:
  /// Of the rows only the size of torques and rates counts: friction may be as large.
  LabParameters(const Robot& robot, const LabRows& rows);

  const Robot& robot() const { return robot_; }
  const BaseParameters& base() const { return base_; }
  /// β of the file's inertias, without friction.
  const Eigen::VectorXd& mean() const { return mean_; }
  /// σ of π by a trust of 1: a link's mass, that times the mean length of links, and its square;
  /// of friction ten times what could be.
  const Eigen::VectorXd& sigma() const { return sigma_; }
  /// Covariance of β by a trust of 1, and its inverse.
  const Eigen::MatrixXd& covariance() const { return covariance_; }
  const Eigen::MatrixXd& information() const { return information_; }

 private:
  const Robot& robot_;
  BaseParameters base_;
  Eigen::VectorXd mean_, sigma_;
  Eigen::MatrixXd covariance_, information_;
};

/// Regressor of β under one gravity.
struct LabRegressor {
  LabRegressor(const Robot& robot, const BaseParameters& base, const Eigen::Vector3d& gravity);

  RobotModel model;
  std::vector<int> columns;  ///< Indices into π.
  Dynamics dynamics;
  RowRegressor rows;
};

/// π of the file's inertias, without friction.
Eigen::VectorXd InertiasOf(const Robot& robot, const ParameterLayout& layout);

}  // namespace idbench
