#include "bench/lab_checks/lab_log.h"

#include <algorithm>
#include <stdexcept>

#include "robots/recording/channels.h"
#include "robots/recording/motion_band.h"
#include "robots/recording/processing.h"
#include "robots/recording/resample.h"

namespace idbench {
namespace {

constexpr double kRatePerCutoff = 5.0;

double CutoffOf(const std::vector<Dataset>& recorded, double rate_hz) {
  std::vector<PositionLog> positions;
  for (const Dataset& segment : recorded) {
    const Channel& q = segment.Get(kJointPosition);
    if (q.time_s.size() > 2) positions.push_back({q.samples, NominalRate(q.time_s)});
  }
  try {
    return FindMotionBand(positions).cutoff_hz;
  } catch (const std::invalid_argument&) {
    return rate_hz / kRatePerCutoff;  // too short, or nothing moves: checks say so
  }
}

}  // namespace

std::vector<Dataset> ProcessedForChecks(const std::vector<Dataset>& recorded) {
  double rate_hz = 0.0;
  for (const Dataset& segment : recorded) {
    for (const Channel& channel : segment.channels()) {
      if (channel.time_s.size() > 1) rate_hz = std::max(rate_hz, NominalRate(channel.time_s));
    }
  }
  ProcessingOptions options;
  options.resample_rate_hz = rate_hz;
  options.differentiate = {std::string(kJointVelocity), std::string(kJointAcceleration)};
  options.lowpass.emplace().cutoff_hz = CutoffOf(recorded, rate_hz);
  std::vector<Dataset> processed;
  for (const Dataset& segment : recorded) {
    try {
      processed.push_back(Process(segment, options));
    } catch (const TooShortError&) {
      continue;  // others may be long enough
    }
  }
  return processed;
}

}  // namespace idbench
