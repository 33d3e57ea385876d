#pragma once

#include <span>

#include "robots/recording/dataset.h"

namespace idbench {

/// Joints are alike within this part of the standard deviations of the fitted motion; those of a
/// joint that stands still count as 1 % of the largest one.
inline constexpr double kAlike = 0.1;

/// Returns the part of the held-out samples at which positions, velocities and accelerations of all
/// joints are within kAlike of those of one fitted sample: there a model is judged on what it was
/// fitted to. Periodic motions, and logs of one program, repeat themselves; another motion of some
/// joints does so hardly ever. 0 if either has no samples, or nothing moves while fitting.
///
/// Both as recorded. At most 400 of the held-out samples, evenly spread, are looked at.
/// @param rate_hz    to which positions are resampled.
/// @param cutoff_hz  of the low-pass before they are differentiated. Behind one far above the
///                   motion's band, noise alone would make accelerations differ.
double RepeatedPart(std::span<const Dataset> fitted, std::span<const Dataset> held_out,
                    double rate_hz, double cutoff_hz);

}  // namespace idbench
