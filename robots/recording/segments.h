#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "robots/recording/dataset.h"

namespace idbench {

/// Step of time that no signal may be followed across.
struct TimeBreak {
  Eigen::Index after = 0;  ///< Sample before the step.
  double from_s = 0.0;     ///< Stamp of that sample [s].
  double to_s = 0.0;       ///< Stamp of the next one [s].

  /// Time goes back: the recording starts anew.
  bool restarts() const { return to_s < from_s; }
  /// Returns "a gap of 5.0 s at t = 12.3 s" or "time jumps back from 25.1 s to 0 s".
  std::string Describe() const;
};

/// Returns the steps of time that are longer, forward or back, than `gap_steps` usual steps: the
/// median step, or the mean if that is longer (stamps that come in bursts).
///
/// Not more than N / gap_steps steps forward can be that long, because the mean grows with them.
/// Shorter steps back are none: rows out of order are for the caller to refuse.
///
/// @param time_s  N stamps [s], in the order of recording.
std::vector<TimeBreak> FindBreaks(const Eigen::VectorXd& time_s, double gap_steps);

/// Uninterrupted parts of a recording.
struct Segments {
  /// Each with all channels, which have two samples at least there; none if no part is that long.
  std::vector<std::vector<Channel>> parts;
  std::vector<TimeBreak> breaks;     ///< Each once, in the order of recording.
  std::vector<std::string> dropped;  ///< Sentences about parts that are too short.
};

/// Divides channels at the breaks of any of them: a gap in one is a gap in all, since equations
/// need them together. Without a break the channels stay as they are.
///
/// @param channels   whose stamps may jump back, which Dataset does not allow.
/// @throws std::invalid_argument if the time of some channels jumps back more often than that of
///         others, so that their starts do not pair.
Segments SplitAtBreaks(std::vector<Channel> channels, double gap_steps);

/// Sets the clocks of the segments of one experiment (see Dataset::recorded), in order of
/// recording: they run on in the gaps between segments, one after another where time jumps back.
///
/// @param start_s  stamp of the experiment's t = 0 [s], not behind the first sample.
void SetClocks(std::span<Dataset> segments, double start_s);

}  // namespace idbench
