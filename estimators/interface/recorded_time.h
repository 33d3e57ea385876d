#pragma once

#include <span>
#include <vector>

#include "robots/recording/dataset.h"

namespace idbench {

/// Checkpoints, windows and tracks count recorded time: the clocks of the identification datasets
/// (see RecordedTimeOf()), one after another. It begins at the t = 0 of the first experiment,
/// whatever samples processing, delays or sensors have dropped since, and runs on in gaps.
///
/// A sample at the checkpoint is included. Its stamp may miss the checkpoint by a microsecond,
/// because stamps that count from 1970 are accurate to 0.24 µs only.
inline constexpr double kCheckpointTolerance = 1e-6;  // [s]

/// Returns true if a sample at recorded time `recorded_s` counts at the checkpoint.
bool IsRecorded(double recorded_s, double checkpoint_s);

/// Returns true if a dataset with `recorded_s` of recorded time before it has begun by the
/// checkpoint. The first dataset (`recorded_s` = 0) always has.
bool HasBegun(double recorded_s, double checkpoint_s);

/// Returns true if a sample at recorded time `recorded_s` lies in the window from `from_s` on and
/// before `until_s`: what happens at its end is not in it.
bool IsInWindow(double recorded_s, double from_s, double until_s);

/// Returns what was recorded up to the checkpoint: copies of the identification datasets that had
/// begun, cut after the last sample that counts.
std::vector<Dataset> RecordedUpTo(std::span<const Dataset> datasets, double checkpoint_s);

}  // namespace idbench
