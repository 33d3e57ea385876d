#pragma once

#include "scenarios/options/fields.h"
#include "sim/sensors/signals.h"

namespace idbench {

/// Motor and gear of each joint, with the joint torque τ, which includes rotor
/// inertia and friction.
///
///   τ_m = τ/(G·η) if the motor drives, τ·q̇ > 0;  τ·η/G if it is driven;  τ/G at rest
///   i = τ_m/k_t(θ),  k_t(θ) = k_t·(1 + r·sin(p·θ)),  θ = G·q
struct MotorOptions {
  PerJoint gear_ratio{{1.0}};              ///< G, turns of the motor per turn of the joint
  PerJoint gear_efficiency{{1.0}};         ///< η
  PerJoint torque_constant_nm_a{{1.0}};    ///< k_t
  PerJoint ripple_fraction = {};           ///< r
  PerJoint ripple_periods_per_rev{{6.0}};  ///< p, per turn of the motor

  bool operator==(const MotorOptions&) const = default;
};
FieldTable Visit(MotorOptions& options);

/// Returns the torque that a motor's drive adds to u, in τ = B·u, per torque or current of the
/// motor, without losses and ripple: G or G·k_t.
double DriveGain(const MotorOptions& motors, std::size_t motor, bool per_current);

/// Computes the motors' torque [N·m] and current [A] of each sample.
void AddMotorSignals(const MotorOptions& motors, Signals& signals);

}  // namespace idbench
