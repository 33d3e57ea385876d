#pragma once

#include <span>
#include <vector>

#include "robots/recording/dataset.h"

namespace idbench {

/// Checkpoints count recorded time: the time spans of the identification datasets, one after
/// another, each from the first sample of any channel to the last.
///
/// A sample at the checkpoint is included. Its stamp may miss the checkpoint by a microsecond,
/// because stamps that count from 1970 are accurate to 0.24 µs only.
inline constexpr double kCheckpointTolerance = 1e-6;  // [s]

/// Time span of a dataset.
struct RecordedTime {
  double start_s = 0.0;  ///< Stamp of the first sample [s].
  double duration_s = 0.0;
};
/// Returns the time span of all channels of `dataset`; zeros if it has no samples.
RecordedTime RecordedTimeOf(const Dataset& dataset);

/// Returns true if a sample at recorded time `recorded_s` counts at the checkpoint.
bool IsRecorded(double recorded_s, double checkpoint_s);

/// Returns true if a dataset with `recorded_s` of recorded time before it has begun by the
/// checkpoint. The first dataset (`recorded_s` = 0) always has.
bool HasBegun(double recorded_s, double checkpoint_s);

/// Returns what was recorded up to the checkpoint: copies of the identification datasets that had
/// begun, cut after the last sample that counts.
std::vector<Dataset> RecordedUpTo(std::span<const Dataset> datasets, double checkpoint_s);

}  // namespace idbench
