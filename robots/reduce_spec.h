#pragma once

#include <mujoco/mujoco.h>

#include "robots/part_plan.h"

namespace idbench {

/// Deletes what the plan leaves out.
void LeaveOut(mjSpec* spec, const PartPlan& plan);

/// Turns and moves bodies by the positions of their held joints, deletes these, and makes the root
/// a child of the world.
void HoldJoints(mjSpec* spec, const PartPlan& plan);

}  // namespace idbench
