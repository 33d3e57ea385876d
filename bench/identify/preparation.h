#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "bench/identify/lab_logs.h"
#include "robots/recording/motion_band.h"
#include "robots/term_options.h"

namespace idbench {

/// Returns a number as scenarios are to show it.
/// @param value  positive.
double FourDigits(double value);

/// How a log is made into rows of equations.
struct Preparation {
  double cutoff_hz = 0.0;    ///< Of the low-pass of positions, and of that of both sides.
  bool held_torque = false;  ///< Torque is held over a sample: it belongs half a step later.
  PerJoint coulomb_width_rad_s;
  bool rotor_inertia = false;
  /// Viscous and Coulomb friction of each direction, in place of those of both and an offset.
  bool asymmetric = false;
  bool stribeck = false;
};

/// What the motion itself says of how to prepare it, before anything is fitted.
struct MotionFacts {
  double rate_hz = 0.0;                  ///< Of the fastest channel, as far as stamps tell.
  bool uniform = true;                   ///< All channels share time stamps without jitter.
  MotionBand band;                       ///< Of the motion for identification.
  double score_cutoff_hz = 0.0;          ///< Of the one smoothing by which all are compared.
  double speed_rad_s = 0.0;              ///< Root mean square of the fastest joint, in its band.
  double stribeck_velocity_rad_s = 0.0;  ///< A tenth of that.
  Eigen::VectorXd torque_spread;         ///< Standard deviation of each joint's torque [N·m or N].
  /// To choose from, the first one unless others are better.
  std::vector<double> cutoffs_hz;
  std::vector<double> coulomb_widths_rad_s;
  std::vector<std::string> sentences;
};

/// Part of each log's time behind which all is held out, where no other logs validate.
inline constexpr double kHeldOutFrom = 0.7;

/// Returns the part of the logs' time, from 0, that may be looked at: 1 with logs for validation.
double FittedUntil(const LabLogs& logs);

/// Looks at positions of the fitted time alone, by these rules:
///
/// - Everything is resampled to the rate of the fastest channel where stamps jitter by more than
///   1 % of a step or channels do not share them.
/// - Positions pass a zero-phase low-pass; velocities and accelerations are central differences
///   behind it. Torques and all columns of the regressor pass the same low-pass (parallel filter),
///   Coulomb columns too: it would turn the corners of their steps on one side only.
/// - Cut-offs to choose from: that which the motion's band asks for (MotionBand::cutoff_hz; a lower
///   one would cut into the motion) and twice that. Above 30 Hz there is the first alone, and none
///   is above a fifth of the rate. A velocity behind 30 Hz or less is slow enough for Coulomb
///   columns: its noise turns few signs.
/// - Coulomb widths to choose from: 0, 0.3, 1, 3 and 10 % of the fastest joint's rms speed, of
///   which none is below three standard deviations of the velocities' noise (from 3 % on, all are
///   taken): else the signs of noise would be friction where the robot rests. Stribeck velocity: a
///   tenth of the speed.
/// - Estimates are compared behind one low-pass, MotionBand::cutoff_hz, whatever they were fitted
///   behind.
/// - Gaps and rows that are dropped are told, those of logs for validation too.
/// @throws ConfigError if the logs are too short or nothing moves.
MotionFacts LookAtMotion(const LabLogs& logs);

}  // namespace idbench
