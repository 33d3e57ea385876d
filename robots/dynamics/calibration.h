#pragma once

#include <Eigen/Core>

#include "robots/dynamics/model.h"

/// Calibration of force/torque sensors: (1 + D)·w = W(q, q̇, q̈)·π + o, with w what a sensor
/// measures (force, then moment) and D what is to be added to its calibration matrix.
///
/// Rows hold w among their columns, w = W·π + o − D·w, as Term says. They hold for D = −1 and π = 0
/// whatever is measured, so that they predict nothing: the reading that a model predicts is
/// (1 + D)⁻¹·(W·π + o), see Dynamics::Predict().
namespace idbench {

/// Returns true if a term is an entry of D.
bool IsCalibration(const Term& term);
/// Returns true if the model has entries of D of a cut's sensor.
bool HasCalibration(const RobotModel& model, int cut);
/// As above, of any sensor.
bool HasCalibration(const RobotModel& model);

/// Returns 1 + D of a cut's sensor, 6 × 6; the identity where the model has no such terms.
/// @param cut  index into RobotModel::cuts(). @param pi  standard parameters.
Eigen::Matrix<double, 6, 6> CalibrationOf(const RobotModel& model, int cut,
                                          const Eigen::Ref<const Eigen::VectorXd>& pi);

/// Returns the least magnitude of an eigenvalue of 1 + D: 1 of a perfect calibration, 0 of one that
/// no reading follows from. Units do not matter.
double LeastOfCalibration(const Eigen::Matrix<double, 6, 6>& calibration);

}  // namespace idbench
