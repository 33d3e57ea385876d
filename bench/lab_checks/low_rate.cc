#include <fmt/format.h>

#include <exception>
#include <vector>

#include "bench/lab_checks/lab_context.h"
#include "robots/recording/motion_band.h"
#include "robots/recording/resample.h"

namespace idbench {
namespace {

/// Samples that a period of the fastest part of the motion needs: central differences then read its
/// acceleration 3.2 % too low.
constexpr double kLeastPerPeriod = 10.0;

}  // namespace

std::vector<LabFinding> TellLowRate(const LabContext& context) {
  std::vector<PositionLog> logs;
  double rate = 0.0;
  for (const Dataset& segment : context.log.recorded) {
    const Channel& q = segment.Get(kJointPosition);
    if (q.time_s.size() < 3) continue;
    rate = NominalRate(q.time_s);
    logs.push_back({q.samples, rate});
  }
  MotionBand band;
  try {
    band = FindMotionBand(logs);
  } catch (const std::invalid_argument&) {
    return {};  // too short, or nothing moves: others say so
  }
  if (rate >= kLeastPerPeriod * band.frequency_hz) return {};
  return {{.check = "low_rate",
           .joint = "",
           .evidence = fmt::format(
               "{:.4g} samples a second for a motion with accelerations up to {:.3g} Hz{}: {:.2g} "
               "samples a period",
               rate, band.frequency_hz, band.steady ? "" : " at least", rate / band.frequency_hz),
           .cure = "log at ten times the frequency of the motion at least, or move more slowly"}};
}

}  // namespace idbench
