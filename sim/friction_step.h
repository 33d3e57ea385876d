#pragma once

#include "robots/plant/motion.h"
#include "sim/truth/true_robot.h"

namespace idbench {

/// Checks that explicit friction does not chatter anywhere on `motion`:
///   h·f′·cᵀM⁻¹c ≤ 1 for each FrictionElement, f′ its steepest slope,
/// for that of joint j h·f′_j·(M⁻¹)_jj, with M that of the robot without payloads, its lightest
/// state. (An explicit step oscillates beyond 1 and grows beyond 2.) With friction_integration
/// "implicit", f′ counts only where it stays explicit, see ImplicitFriction. LuGre friction, always
/// explicit, adds twice its damping to f′ (bristles bent against the motion recover at twice its
/// speed), and for its stiffness h²·σ0·(M⁻¹)_jj to the left side, as in a semi-implicit step of a
/// spring. With presliding, f′ is that of viscous friction, and the spring of Coulomb friction
/// after a reversal, always explicit, adds h²·2·L/x_s·cᵀM⁻¹c. The springs k of cables are held to
/// h²·k·(M⁻¹)_jj ≤ 1 too. Friction that warms up counts with its greatest factor of all times, and
/// friction that grows with the load with the greatest load on the motion, without payloads that
/// come and what touches the robot.
/// @throws PlantError naming the joint, term or cable, the largest step that works and other cures,
///         or if M is not positive definite on the motion.
void CheckFrictionStep(const TrueRobot& robot, const Motion& motion);

}  // namespace idbench
