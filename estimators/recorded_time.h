#pragma once

#include <span>
#include <vector>

#include "robots/recording/dataset.h"

namespace idbench {

/// Checkpoints count recorded time: that of the identification datasets one after another, each
/// from the first sample of any of its channels to the last.
///
/// A sample at the checkpoint is in. Stamps may miss it by a microsecond: those that count from
/// 1970 are known to 0.24 µs.
inline constexpr double kCheckpointTolerance_s = 1e-6;

struct RecordedTime {
  double start_s = 0.0;  ///< Stamp of the first sample.
  double duration_s = 0.0;
};
/// Zero for a dataset without samples.
RecordedTime RecordedTimeOf(const Dataset& dataset);

/// Whether a sample at `recorded_s` is in by the checkpoint.
bool IsRecorded(double recorded_s, double checkpoint_s);

/// Whether a dataset before which `recorded_s` were recorded has begun by the checkpoint; the first
/// has always.
bool HasBegun(double recorded_s, double checkpoint_s);

/// What was there at the checkpoint: copies of the identification datasets that had begun, with the
/// samples that were in.
std::vector<Dataset> RecordedUpTo(std::span<const Dataset> datasets, double checkpoint_s);

}  // namespace idbench
