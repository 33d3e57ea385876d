#pragma once

#include <optional>
#include <string_view>

#include "scenarios/options/fields.h"
#include "sim/sensors/signals.h"

namespace idbench {

/// Motors, their gears and their drives, one of each per motor of the robot (see Actuation). With
/// the motor's torque u on the side of its joints, which includes rotor inertia and friction, and
/// its speed q̇_m there: those of a joint, or u = B⁺·τ and q̇_m = Bᵀ·q̇ of motors that drive several.
///
///   τ_m = u/(G·η) if the motor drives, u·q̇_m > 0;  u·η/G if it is driven;  u/G at rest
///   i = τ_m/k_t(θ),  k_t(θ) = k_t·(1 + r·sin(p·θ)),  θ = G·q_m
///   duty = 100 %·(R·i + k_e(θ)·θ̇)/V(t),  k_e(θ) = k_e·(1 + r·sin(p·θ)),  V(t) = V·(1 + d·t)
///
/// The last is a DC motor whose inductance is neglected: the voltage V·duty drives the current
/// against the resistance and the back-EMF. V drifts with the time t since the start of an
/// experiment, and with it the gain of the duty cycle alone. Without losses, ripple and drift
///
///   u = gain·duty − b·q̇_m,  gain = G·k_t·V/(100 %·R),  b = G²·k_t·k_e/R,
///
/// so that the back-EMF acts as viscous friction of the motor. With V = 100 V and R = 1 Ω, 1 % is
/// the voltage that drives 1 A; with k_e = 0 too, gain = G·k_t.
/// Source: Traversaro, Del Prete, Muradore, Natale & Nori, 2013, equations (1) and (2) and what
/// follows: gains per PWM, and the back electromotive torque as part of the viscous friction.
struct MotorOptions {
  PerJoint gear_ratio{{1.0}};              ///< G, turns of the motor per turn of the joint
  PerJoint gear_efficiency{{1.0}};         ///< η
  PerJoint torque_constant_nm_a{{1.0}};    ///< k_t
  PerJoint ripple_fraction = {};           ///< r
  PerJoint ripple_periods_per_rev{{6.0}};  ///< p, per turn of the motor
  PerJoint resistance_ohm{{1.0}};          ///< R
  PerJoint supply_voltage_v{{100.0}};      ///< V
  std::optional<PerJoint> back_emf_constant_vs_rad = {};  ///< k_e; absent: k_t, as physics has it.
  PerJoint gain_drift_per_min = {};                       ///< d [1/min]

  bool operator==(const MotorOptions&) const = default;
};
FieldTable Visit(MotorOptions& options);

/// Returns 1 + d·t: the gain of a motor's duty cycle at the time t [s] since the start of an
/// experiment is that multiple of the gain at its start; exactly 1 without drift.
double GainFactor(const MotorOptions& motors, std::size_t motor, double t);
/// Returns the time at which that is 0 [s]; infinity if it never is.
double EndOfGain(const MotorOptions& motors, std::size_t motor);

/// Returns the torque u that a motor's drive adds per unit of what the channel measures, without
/// losses and ripple, at the start of an experiment: G [1] of kMotorTorque, G·k_t [N·m/A] of
/// kMotorCurrent, G·k_t·V/(100·R) [N·m/%] of kMotorPwm.
double DriveGain(const MotorOptions& motors, std::size_t motor, std::string_view channel);

/// Returns b = G²·k_t·k_e/R [N·m·s/rad], the viscous friction as which the motor's back-EMF acts in
/// rows of duty cycles.
double BackEmfFriction(const MotorOptions& motors, std::size_t motor);

/// Computes the motors' torque [N·m], current [A] and duty cycle [%] of each sample. Positions,
/// velocities and torques of `signals` are those of the motors on the side of their joints; times
/// count from the start of an experiment.
void AddMotorSignals(const MotorOptions& motors, Signals& signals);

}  // namespace idbench
