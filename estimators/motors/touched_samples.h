#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "estimators/interface/problem.h"
#include "estimators/solvers/regression_rows.h"
#include "robots/dynamics/kinematics.h"

namespace idbench {

/// The measured wrench that feels what touches the robot in a configuration, see
/// Configuration::touched.
struct TouchedSensor {
  int cut = -1;            ///< Index into RobotModel::cuts(); −1: the wrench on the base.
  Eigen::Index first = 0;  ///< First of its six rows, of a RegressionRows.
  std::vector<Eigen::Index> moved;  ///< First rows of all sensors that feel it, this among them.
};

/// Returns the sensor before the touched body, the nearest to it if there are several (the wrench
/// on the base is the furthest); nothing if nothing touches the robot there.
/// @throws EstimationFailure (refused) if no equation is of such a sensor, not all six of its rows
///         count, its calibration or terms that it has there alone are unknown, or an equation is
///         neither of drives nor of such a wrench.
std::optional<TouchedSensor> FindTouchedSensor(const Problem& problem, int configuration);

/// Checks all configurations that have data for identification.
/// @throws EstimationFailure (refused) as FindTouchedSensor() does, if in all of them something
///         touches the robot, and for an unknown body beyond the sensor that is attached only where
///         something does.
void CheckTouched(const Problem& problem);

/// Returns true if something touches the robot in a dataset.
bool IsTouched(const Problem& problem, const Dataset& dataset);

/// What a wrench at the sensor does at each joint up to the touched body.
///
/// A touch acts on the robot by a wrench −(w − W·x), w what the sensor measures and W·x what the
/// robot's own motion needs, about the sensor's origin. At joint j before the touched body it needs
/// the torque J_jᵀ·(w − W·x), J the Jacobian of the touched body's point at the sensor's origin:
///
///   τ_j = Y_j·x + J_jᵀ·(w − W·x),
///
/// linear in x. Joints beyond the touched body do not feel it. Where both sides are behind a
/// low-pass, J stands outside of it, an error of what J changes within the filter's time: gains of
/// the iCub's arm behind 4 Hz move by less than 0.2 % by touches of 5 to 20 N.
/// @param sensor  frame in which w is measured.
/// @param q       samples × n [rad or m].
/// @return samples × 6 of each joint, increasing: J_jᵀ in the sensor's axes, force, then moment.
std::vector<Eigen::MatrixXd> TorquePerWrench(const RobotModel& model, int touched,
                                             const FixedFrame& sensor, const Eigen::MatrixXd& q);

}  // namespace idbench
