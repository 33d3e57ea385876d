#pragma once

#include <mujoco/mujoco.h>

namespace idbench {

/// Axes that were rounded where a model file was written are set right in a parsed model: an axis
/// of a body's frame that lies along an axis of its parent's frame but for an angle of at most
/// 5e-4 rad lies along it thereafter; a joint's axis along an axis of its body's frame likewise.
///
/// Files write π/2 as 1.5708 (4e-6 rad), 1.5707 (1e-4) or 1.571 (2e-4). Joints that are parallel
/// but for such an angle ε have base parameters whose effect is of size ε and ε², far below what
/// any sensor sees: no rank of the regressor is certain. What is straightened is so for everything
/// that reads the model: kinematics, regressor, simulation. Calibrated deviations (some 1e-3 rad)
/// stay.
/// @return the greatest angle that was taken away [rad], 0 where all axes were straight to 1e-12.
double StraightenAxes(mjSpec* spec);

}  // namespace idbench
