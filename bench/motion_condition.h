#pragma once

#include "robots/dynamics/rows.h"
#include "robots/plant/motion.h"

namespace idbench {

/// How badly a motion shows the parameters: the condition number of their regressor on 256 samples
/// evenly spread over the motion, columns scaled to unit norm; infinite where some cannot be told
/// apart.
/// @param rows  the columns to be told apart; of `dynamics`.
double MotionCondition(const Dynamics& dynamics, const RowRegressor& rows, const Motion& motion);

}  // namespace idbench
