#include "estimators/interface/recorded_time.h"

#include <algorithm>
#include <utility>

namespace idbench {
namespace {

/// The samples that were in by the checkpoint, `recorded_s` having been recorded before `dataset`.
Dataset CutAt(const Dataset& dataset, double recorded_s, double checkpoint_s) {
  const double start_s = RecordedTimeOf(dataset).start_s;
  Dataset cut = dataset.WithoutChannels();
  cut.lowpass_cutoff_hz = dataset.lowpass_cutoff_hz;
  for (Channel channel : dataset.channels()) {
    const Eigen::Index count =
        std::ranges::partition_point(channel.time_s,
                                     [&](double time_s) {
                                       return IsRecorded(recorded_s + (time_s - start_s),
                                                         checkpoint_s);
                                     }) -
        channel.time_s.begin();
    channel.time_s.conservativeResize(count);
    channel.samples.conservativeResize(count, Eigen::NoChange);
    cut.Add(std::move(channel));
  }
  return cut;
}

}  // namespace

bool IsRecorded(double recorded_s, double checkpoint_s) {
  return recorded_s < checkpoint_s + kCheckpointTolerance;
}

bool HasBegun(double recorded_s, double checkpoint_s) {
  return recorded_s == 0.0 || recorded_s + kCheckpointTolerance < checkpoint_s;
}

bool IsInWindow(double recorded_s, double from_s, double until_s) {
  return recorded_s + kCheckpointTolerance >= from_s && recorded_s + kCheckpointTolerance < until_s;
}

std::vector<Dataset> RecordedUpTo(std::span<const Dataset> datasets, double checkpoint_s) {
  std::vector<Dataset> recorded;
  double recorded_s = 0.0;
  for (const Dataset& dataset : datasets) {
    if (dataset.role() != Role::kIdentification) continue;
    if (!HasBegun(recorded_s, checkpoint_s)) break;
    recorded.push_back(CutAt(dataset, recorded_s, checkpoint_s));
    recorded_s += RecordedTimeOf(dataset).duration_s;
  }
  return recorded;
}

}  // namespace idbench
