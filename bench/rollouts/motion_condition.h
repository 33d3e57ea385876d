#pragma once

#include "robots/dynamics/rows.h"
#include "robots/plant/motion.h"

namespace idbench {

/// Returns the condition number of the parameters' regressor on 256 samples evenly spread over the
/// motion, with columns scaled to unit norm: how badly the motion shows the parameters. Infinite if
/// it cannot tell some apart.
/// @param rows  columns of those parameters; made from `dynamics`.
double MotionCondition(const Dynamics& dynamics, const RowRegressor& rows, const Motion& motion);

}  // namespace idbench
