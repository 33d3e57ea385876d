#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "estimators/interface/estimator.h"
#include "estimators/motors/motor_rows.h"
#include "scenarios/options/fields.h"

namespace idbench {

struct InstrumentOptions {
  double history_s = 0.5;
  double step_s = 0.05;

  bool operator==(const InstrumentOptions&) const = default;
};
FieldTable Visit(InstrumentOptions& options);

/// Returns the dataset with the motion that the desired one explains in place of that which was
/// measured: of each joint, with d all desired positions,
///
///   q̂_j(t) = a_j0 + Σ_k a_jkᵀ·d(t − k·step_s),  0 ≤ k·step_s ≤ history_s,
///
/// by least squares, and its differences for velocities and accelerations. It does not depend on
/// what the motors, or the sensors, add to the motion, but for the few coefficients. Before the
/// recording begins, d is what it is there.
/// @throws EstimationFailure (refused) if positions, velocities, accelerations or desired positions
///         are missing or not sampled together, or the recording has no more samples than
///         coefficients.
Dataset WithExplainedMotion(const Dataset& dataset, const InstrumentOptions& options);

/// Rows of each motor along its instruments: with Q an orthonormal basis of Z's columns, Qᵀ·(M, e).
/// Least squares of these rows are two-stage least squares of M·x = e with the instruments Z. What
/// is 0 in the mean along Z, as noise of motors that act on the motion and are fed back, moves them
/// no longer. Z follows from the rows of the motor in the explained motion.
/// @param explained    the same problem without dead zones, and the same samples, of that motion.
/// @param instruments  Z, samples × m, of a motor's rows (M, e), samples × (p + 1). What the motor
///                     is fed holds the noise, and must be in no column.
std::vector<Eigen::MatrixXd> InstrumentedRows(
    const MotorRegression& regression, const MotorRegression& explained,
    const std::function<Eigen::MatrixXd(const MotorRow& motor, const Eigen::MatrixXd& Me)>&
        instruments);

}  // namespace idbench
