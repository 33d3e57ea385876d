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
/// Both as recorded: each passes its own low-pass, see ProcessedForChecks(). At most 400 of the
/// held-out samples, evenly spread, are looked at.
double RepeatedPart(std::span<const Dataset> fitted, std::span<const Dataset> held_out);

}  // namespace idbench
