#pragma once

#include <mujoco/mujoco.h>

#include <optional>
#include <string>

namespace idbench {

/// Returns the name of the joint along whose axis an actuator acts; nothing if it acts on a tendon,
/// site, body or slider-crank.
std::optional<std::string> JointOf(const mjsActuator& actuator);

/// Narrows `actuatorfrcrange` of each joint in a parsed model to the torques that its actuators can
/// give it, so that it tells the joint's limits without them. As MuJoCo computes these torques,
///
///   τ = clip(Σ_k gear_k·f_k, actuatorfrcrange),  f_k = clip(gain_k·clip(u_k, ctrlrange_k),
///   forcerange_k)
///
/// over the actuators k of the joint, where a range that is not limited clips nothing. Controls u_k
/// limit the force of motors alone (fixed gain, no bias, the control filtered at most): those of
/// servos are positions or speeds. Tendons and sites that move the joint too are not looked at. A
/// joint whose torque can have only one value has no range.
void TakeActuatorLimits(mjSpec* spec);

}  // namespace idbench
