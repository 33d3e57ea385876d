#pragma once

#include <span>

#include "estimators/interface/problem.h"

namespace idbench {

/// Returns q, q̇, q̈ of a dataset as channels 0, 1, 2 and the measured sides of `equations` as
/// channels 3, 4 …, on one time vector, with checked numbers of columns. Samples may still be NaN
/// or infinite. The view refers to `dataset`.
/// @throws EstimationFailure (refused) if a channel is missing, was not sampled together with the
///         others, or has a wrong number of columns; and at a sample where joint torques are not
///         mapped to an equation, see TorqueMap.
AlignedView AlignEquations(const Problem& problem, const Dataset& dataset,
                           std::span<const EquationRows> equations);

/// Returns the measured side of `equations`, samples × rows: the columns of their channels that
/// count, and 0 for drives.
/// @param view  of AlignEquations().
Eigen::MatrixXd MeasuredSide(const AlignedView& view, std::span<const EquationRows> equations);
/// Returns what was measured and stands among columns, for StateSamples::inputs: what drives are
/// fed and the wrenches of calibrated sensors, 0 of what no equation has; nothing if no equation
/// needs any.
Eigen::MatrixXd InputsOf(const AlignedView& view, std::span<const EquationRows> equations,
                         const RobotModel& model);

/// Returns the index into RobotModel::configurations() of what is attached in a dataset.
/// @throws EstimationFailure (refused) for a configuration that the problem does not have.
int ConfigurationOf(const Problem& problem, const Dataset& dataset);

/// Returns the columns that an estimator reads of each channel of AlignEquations(): of measured
/// sides those of the rows that count. Others may hold anything.
std::vector<std::vector<int>> ReadColumns(const Problem& problem,
                                          std::span<const EquationRows> equations);

/// Checks sample `row` of channel `channel` in a view of `dataset`.
/// @param read  columns that are looked at.
/// @throws EstimationFailure (refused) if a number is not finite; the message says where it is.
void CheckFinite(const Dataset& dataset, const AlignedView& view, std::size_t channel,
                 Eigen::Index row, const std::vector<int>& read);
/// As above, in all columns.
void CheckFinite(const Dataset& dataset, const AlignedView& view, std::size_t channel,
                 Eigen::Index row);

}  // namespace idbench
