#pragma once

#include <mujoco/mujoco.h>

namespace idbench {

/// Corrects axes in a parsed model that were rounded when its file was written. If an axis of a
/// body's frame is within 5e-4 rad of an axis of its parent's frame, it is aligned with it;
/// likewise a joint's axis with an axis of its body's frame.
///
/// Files write π/2 as 1.5708 (4e-6 rad), 1.5707 (1e-4) or 1.571 (2e-4). Joints that are parallel up
/// to such an angle ε have base parameters whose effect is of size ε and ε², far below what any
/// sensor can measure, so that no rank of the regressor would be certain. The correction applies to
/// everything that reads the model: kinematics, regressor, simulation. Calibrated deviations (some
/// 1e-3 rad) stay.
/// @return the greatest corrected angle [rad]; 0 if all axes were straight to 1e-12.
double StraightenAxes(mjSpec* spec);

}  // namespace idbench
