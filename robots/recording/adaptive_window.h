#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <string_view>

#include "scenarios/options/fields.h"

namespace idbench {

/// Where the window lies from which a sample's derivative is taken.
enum class WindowPlace : std::uint8_t {
  kCentred,  ///< About the sample.
  kEnding,   ///< Behind it, as published: what is found is of the middle of the window.
};
template <>
inline constexpr auto kEnumNames<WindowPlace> = std::to_array<EnumName<WindowPlace>>(
    {{WindowPlace::kCentred, "centred"}, {WindowPlace::kEnding, "ending"}});

/// Windows of one derivative.
struct AdaptiveWindow {
  int most_samples = 16;  ///< In a window; a centred one has an odd number.
  WindowPlace place = WindowPlace::kCentred;

  /// Returns how many samples a window has at most on the side, or on both sides, of its own.
  int reach() const {
    return place == WindowPlace::kCentred ? (most_samples - 1) / 2 : most_samples - 1;
  }
};

/// Computes a time derivative of sampled signals by least-squares fits over windows that are as
/// long as the signal allows: long where it is slow, so that the steps of quantisation average out,
/// and short where it is fast.
///
/// The window of sample i is the largest from which a polynomial, a line for ẋ and a parabola for
/// ẍ, differs by no more than `band` in any sample; the derivative is that of the polynomial. With
/// r samples on each side (kCentred: i − r … i + r, cut where the data end) or before it (kEnding:
/// i − r … i), r is at most one more than that of sample i − 1: where i − r … i + r lies in a band,
/// so do all smaller windows within. The smallest window is taken as it is: 3 samples, of kEnding
/// and ẋ 2; so it is at the beginning and, kCentred, at the end of the data.
///
/// A line through N samples of uniform step h turns a quantisation error, which is uniform in
/// ±c/2, into one of ẋ with standard deviation c/(h·√(N³ − N)); a parabola into one of ẍ with
/// c/h²·√(60/(N·(N² − 1)·(N² − 4))). Exact for lines, and for parabolas of ẍ, up to rounding;
/// polynomials of higher degree differ by no more than a window of that band allows.
///
/// Source: Janabi-Sharifi, Hayward & Chen, "Discrete-time adaptive windowing for velocity
/// estimation", IEEE Trans. Control Systems Technology 8(6), 2000: best-fit-FOAW, of windows that
/// end at the sample; the parabola and the centred window are ours.
///
/// @param time_s      N, strictly increasing [s].
/// @param samples     N × k.
/// @param derivative  1 or 2.
/// @param band        largest distance from the polynomial, k [unit of `samples`].
/// @return N × k, in the unit of `samples` per s or s².
/// @throws std::invalid_argument for another derivative, windows of fewer than 3 samples, a band
///         that is not positive, sizes that contradict each other, fewer than 3 samples, or time
///         that does not increase.
/// O(N·k·most_samples): windows grow by one sample at a time. Allocates nothing within its loops.
Eigen::MatrixXd DifferentiateAdaptively(const Eigen::VectorXd& time_s,
                                        const Eigen::MatrixXd& samples, int derivative,
                                        const Eigen::VectorXd& band, const AdaptiveWindow& window);

/// How joint velocities and accelerations are derived from positions by adaptive windows.
struct AdaptiveWindowOptions {
  static constexpr std::string_view kType = "adaptive_window";
  PerJoint count_rad = {};       ///< Step of the encoder [rad or m].
  double velocity_counts = 1.5;  ///< Band, in counts.
  int velocity_samples = 16;     ///< See AdaptiveWindow.
  double acceleration_counts = 3.0;
  int acceleration_samples = 25;
  WindowPlace window = WindowPlace::kCentred;

  bool operator==(const AdaptiveWindowOptions&) const = default;
};
FieldTable Visit(AdaptiveWindowOptions& options);

/// Returns the windows of the first or the second derivative.
AdaptiveWindow WindowOf(const AdaptiveWindowOptions& options, int derivative);
/// Returns its band in each of `columns` signals [rad or m]; count_rad has to fit.
Eigen::VectorXd BandOf(const AdaptiveWindowOptions& options, int derivative, Eigen::Index columns);

}  // namespace idbench
