#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/lab_checks/lab_context.h"

namespace idbench {
namespace {

/// Samples at the greatest value, or the least one, that are no chance.
constexpr Eigen::Index kLeastPinned = 6;
/// A smooth peak in steps of Δ stays 2.4 times as long in its last step as in the one before; a
/// pinned signal passes that step at its slope.
constexpr double kPinnedPart = 6.0;
constexpr Eigen::Index kLeastInARow = 4;
/// A signal of fewer steps than this stays in its last one without being at an end.
constexpr double kLeastSteps = 8.0;

struct Pinned {
  double value = 0.0;
  Eigen::Index samples = 0, longest = 0;
};

/// Samples that have exactly the greatest value of x, in rows of which each is long.
Pinned PinnedAtTop(const std::vector<Eigen::VectorXd>& parts) {
  Pinned pinned;
  double top = -1e300, low = 1e300;
  for (const Eigen::VectorXd& x : parts) {
    top = std::max(top, x.maxCoeff());
    low = std::min(low, x.minCoeff());
  }
  const double tolerance = 1e-9 * (top - low);
  pinned.value = top;
  double next = low;  // the value below
  for (const Eigen::VectorXd& x : parts) {
    for (const double each : x) {
      if (each < top - tolerance) next = std::max(next, each);
    }
  }
  if (top - next > (top - low) / kLeastSteps) return {};
  Eigen::Index below = 0;
  for (const Eigen::VectorXd& x : parts) {
    Eigen::Index run = 0;
    for (const double each : x) {
      run = each >= top - tolerance ? run + 1 : 0;
      pinned.samples += run > 0;
      pinned.longest = std::max(pinned.longest, run);
      // A step is at least a thousandth of the range: else hardly any sample is in it.
      if (each < top - tolerance && each >= top - std::max(top - next, 1e-3 * (top - low))) ++below;
    }
  }
  if (pinned.samples < kLeastPinned || pinned.longest < kLeastInARow ||
      static_cast<double>(pinned.samples) < kPinnedPart * static_cast<double>(below)) {
    return {};
  }
  return pinned;
}

}  // namespace

std::vector<LabFinding> TellSaturation(const LabContext& context) {
  std::vector<LabFinding> findings;
  for (const std::string_view channel : {kJointVelocity, kJointTorque}) {
    const ChannelInfo& info = ChannelNamed(channel);
    const Eigen::VectorXd& limits = channel == kJointTorque ? context.model().limits().effort
                                                            : context.model().limits().velocity;
    for (Eigen::Index j = 0; j < context.model().dofs(); ++j) {
      std::vector<Eigen::VectorXd> up, down;
      for (const Dataset& segment : context.log.recorded) {
        const Channel* const found = segment.Find(channel);
        if (found == nullptr) continue;
        up.emplace_back(found->samples.col(j));
        down.emplace_back(-found->samples.col(j));
      }
      if (up.empty() || up.front().maxCoeff() == up.front().minCoeff()) continue;
      Pinned pinned = PinnedAtTop(up);
      Pinned other = PinnedAtTop(down);
      other.value = -other.value;
      if (other.samples > pinned.samples) std::swap(pinned, other);
      if (pinned.samples == 0) continue;
      std::string evidence = fmt::format("{} samples are at exactly {:.4g} {}, up to {} in a row",
                                         pinned.samples, pinned.value, info.unit, pinned.longest);
      if (other.samples > 0) {
        evidence += fmt::format(", and {} at {:.4g}", other.samples, other.value);
      }
      if (limits.size() > j && std::isfinite(limits[j])) {
        evidence += fmt::format("; the file's limit is {:.4g}", limits[j]);
      }
      findings.push_back(
          {.check = "saturation",
           .joint = context.joint(j),
           .evidence = fmt::format("{}: {}", info.sensor, evidence),
           .cure = "the sensor or the drive is at its end there: leave these samples out, and "
                   "record a slower motion"});
    }
  }
  return findings;
}

}  // namespace idbench
