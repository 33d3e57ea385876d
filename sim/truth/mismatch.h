#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <vector>

#include "scenarios/options/draw.h"
#include "sim/truth/cable.h"
#include "sim/truth/lugre.h"

namespace idbench {

/// Torque that pulls the rotor into its slots: τ = a·sin(p·q + φ).
struct CoggingOptions {
  PerJoint amplitude_nm = {};       ///< a
  PerJoint periods_per_rev{{1.0}};  ///< p, per turn of the joint (prismatic: per 2π m)
  PerJoint phase_rad = {};          ///< φ
  /// Draw of each φ, uniform over a turn, in place of `phase_rad`; see DrawPhases().
  std::optional<Draw> random_phase = std::nullopt;

  bool operator==(const CoggingOptions&) const = default;

  /// Returns τ [N·m or N] of a joint at position q [rad or m].
  double Torque(std::size_t joint, double q) const;
};
FieldTable Visit(CoggingOptions& options);

/// Returns the same cogging with phases in place of their draw. They belong to the robot: all
/// experiments of a trial have the same.
/// @param trial  ignored if one draw is for all trials.
CoggingOptions DrawPhases(const CoggingOptions& options, int joints, std::uint64_t seed,
                          std::int64_t trial);

/// Friction that changes while the robot warms up: at the time t since the start of an experiment
/// it is κ(t) times that of the start,
///   κ(t) = 1 + ρ·(1 − e^(−t/T)).
struct FrictionWarmUpOptions {
  double fraction = 0.0;  ///< ρ, above −1, so that κ > 0.
  double time_s = 600.0;  ///< T

  bool operator==(const FrictionWarmUpOptions&) const = default;

  /// Returns κ(t); exactly 1 at t = 0.
  double FactorAt(double t) const;
  /// Returns the greatest κ(t).
  double GreatestFactor() const;
};
FieldTable Visit(FrictionWarmUpOptions& options);

/// Effects of the true robot that no model here has, to test estimators with the wrong model
/// class.
struct MismatchOptions {
  /// MuJoCo's `frictionloss`, a constraint that is softer than −f·sign(q̇): at rest the joint
  /// creeps, and some samples in motion are off by more than 1 % of f.
  PerJoint frictionloss_nm = {};
  std::optional<LugreOptions> lugre = std::nullopt;
  std::optional<CoggingOptions> cogging = std::nullopt;
  /// Δ of a drive that takes torques in steps: of τ acts Δ·round(τ/Δ), ties to even; 0: τ itself.
  PerJoint torque_resolution_nm = {};
  /// Distance x_s over which Coulomb friction of joints, motors and own terms reverses, see
  /// Presliding; in m along prismatic joints; 0: at once, as s(u) does.
  double presliding_rad = 0.0;
  std::vector<CableOptions> cables = {};
  /// Angles by which the base stands tilted, about the x and y axes of a level one: the rotation
  /// vector (x, y, 0) from level axes to those of the base.
  std::vector<double> base_tilt_rad = {0.0, 0.0};
  /// Of all friction of joints, motors and own terms, LuGre's bristles included, but not of
  /// MuJoCo's frictionloss, with which it is refused. Constant torques, cogging and cables stay.
  std::optional<FrictionWarmUpOptions> friction_warm_up = std::nullopt;

  bool operator==(const MismatchOptions&) const = default;

  /// Returns true if some effect is no function of motion and time: it is a constraint, changes
  /// what is commanded, or has a state that depends on more than the way (as that of presliding
  /// does not).
  bool NeedsSimulation() const;
  /// Returns what acts of a torque that is commanded [N·m or N].
  double Resolved(std::size_t joint, double tau) const;
  bool tilted() const;
  /// Returns a level base's gravity in the axes of the tilted one.
  Eigen::Vector3d Tilted(const Eigen::Vector3d& gravity) const;
};
FieldTable Visit(MismatchOptions& options);

}  // namespace idbench
