#pragma once

#include <Eigen/Core>
#include <optional>

#include "estimators/interface/problem.h"
#include "scenarios/options/binding.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Weights of residuals by what they are: sums of squares add up [N·m]² of joints, [N]² of forces
/// and [N·m]² of moments, whose noise and whose misfit differ.
struct RowWeights {
  double joints = 1.0;   ///< Of rows of joints: of their torques, or of drives.
  double forces = 1.0;   ///< Of forces in wrenches.
  double moments = 1.0;  ///< Of moments in wrenches.

  bool operator==(const RowWeights&) const = default;
};
FieldTable Visit(RowWeights& weights);

/// Returns the weight of each equation row of a problem, in the order of a RowRegressor.
Eigen::VectorXd WeightsOfRows(const Problem& problem, const RowWeights& weights);

/// Returns the problem with a dead zone of all equations of drives, that of a whole sample (see
/// RowMask); the problem itself if there is none.
/// @throws EstimationFailure (refused) for another number of joints, or if no equation is of
///         drives.
Problem WithDriveDeadZone(const Problem& problem, const std::optional<PerJoint>& zone_rad_s);
/// Adds the field `dead_zone_rad_s`, that zone, to a method's table.
void AddDriveDeadZone(std::optional<PerJoint>& zone_rad_s, FieldTable& table);

}  // namespace idbench
