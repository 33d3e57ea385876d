#pragma once

#include <Eigen/Core>
#include <span>

namespace idbench {

/// Uniformly sampled joint positions of a motion.
struct PositionLog {
  Eigen::MatrixXd q;  ///< N × n [rad or m]
  double rate_hz = 0.0;
};

/// What positions tell of the frequencies of a motion and of their noise.
///
/// a(f) is the root mean square, over all logs, samples and joints, of the second differences of
/// the positions behind a zero-phase Butterworth low-pass (order 5) of cut-off f: it grows while f
/// is inside the motion's band, rests above it, and grows again as f^2.5 where noise prevails.
/// Frequencies are tried in quarter octaves, from 8 periods in the shortest log up to a fifth of
/// the lowest rate; a tenth of each log is left out at either end, and logs are left out that are
/// short beside the longest.
struct MotionBand {
  /// Part of the longest log's duration that a log must have to count, beside 200 samples: the
  /// scraps between gaps do not tell of slow motions.
  static constexpr double kLeastLength = 0.25;
  /// Doubling f changes a(f) by less than this where it rests.
  static constexpr double kSteadyChange = 0.05;
  /// Part of the greatest steady a(f) that the band must hold: a slow motion below a fast one rests
  /// too.
  static constexpr double kLeastShare = 0.9;
  /// Multiple of the band up to which torque tells of its motion: of a square wave of the band's
  /// frequency, as which Coulomb friction changes its sign, 98 % of the energy lies below.
  static constexpr double kAboveBand = 20.0;

  /// Lowest f at which a(f) rests; without such, the f at which doubling it changes a(f) least.
  double frequency_hz = 0.0;
  /// False if a(f) rests nowhere: noise reaches into the band.
  bool steady = false;
  /// Cut-off of a low-pass that keeps the motion and lets no more of the noise pass than there is
  /// motion: kAboveBand·frequency_hz, or the highest f tried below it with a(f)² ≤
  /// 2·a(frequency_hz)²; frequency_hz itself if a(f) rests nowhere.
  double cutoff_hz = 0.0;
};

/// Finds the band of a motion.
/// @throws std::invalid_argument if there is no log, a rate is not positive, all logs that count
///         have fewer than 200 samples, or nothing moves.
MotionBand FindMotionBand(std::span<const PositionLog> logs);

}  // namespace idbench
