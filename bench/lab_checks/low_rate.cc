#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "bench/lab_checks/lab_context.h"
#include "robots/recording/resample.h"

namespace idbench {
namespace {

/// Samples that a period of the fastest part of the motion needs: central differences then read its
/// acceleration 3.2 % too low.
constexpr double kLeastPerPeriod = 10.0;
/// Fewer cannot be told from noise.
constexpr double kFewestPerPeriod = 4.0;
constexpr Eigen::Index kFewestDifferences = 20;

/// Σ of squared second differences of a joint's positions over `step` samples, per unit of step².
double SquaredAccelerations(const std::vector<Dataset>& segments, Eigen::Index j,
                            Eigen::Index step) {
  double squares = 0.0, count = 0.0;
  for (const Dataset& segment : segments) {
    const auto q = segment.Get(kJointPosition).samples.col(j);
    const Eigen::Index rows = q.size() - 2 * step;
    if (rows < kFewestDifferences) continue;
    squares += (q.head(rows) - 2.0 * q.segment(step, rows) + q.tail(rows)).squaredNorm();
    count += static_cast<double>(rows);
  }
  if (count == 0.0) return 0.0;
  return squares / count / std::pow(static_cast<double>(step), 4);
}

/// Samples in a period of a joint's motion, if they are too few and noise does not explain it.
///
/// Of a sine with P samples in a period, second differences over 2 samples are cos²(π/P) times
/// those over one (per unit of time), and those over 4 cos²(2π/P) times those over 2. White noise
/// beside a motion that is sampled well lets the first ratio fall, to 0.5 at four times the
/// motion's square, but then not the second one (0.9).
std::optional<double> TooFewPerPeriod(const std::vector<Dataset>& segments, Eigen::Index j) {
  const double by_1 = SquaredAccelerations(segments, j, 1);
  const double by_2 = SquaredAccelerations(segments, j, 2);
  const double by_4 = SquaredAccelerations(segments, j, 4);
  if (by_1 <= 0.0 || by_2 <= 0.0) return std::nullopt;
  const auto period = [](double squared_ratio, double step) {
    const double cosine = std::sqrt(std::min(1.0, std::sqrt(squared_ratio)));
    return step * std::numbers::pi / std::max(std::acos(cosine), 1e-9);
  };
  const double samples = period(by_2 / by_1, 1.0);
  const bool few = samples >= kFewestPerPeriod && samples < kLeastPerPeriod;
  if (!few || period(by_4 / by_2, 2.0) >= kLeastPerPeriod) return std::nullopt;
  return samples;
}

}  // namespace

std::vector<LabFinding> TellLowRate(const LabContext& context) {
  std::optional<double> fewest;
  std::string joint;
  for (Eigen::Index j = 0; j < context.model().dofs(); ++j) {
    const std::optional<double> samples = TooFewPerPeriod(context.log.recorded, j);
    if (!samples || (fewest && *samples >= *fewest)) continue;
    fewest = samples;
    joint = context.joint(j);
  }
  if (!fewest) return {};
  const double rate = NominalRate(context.log.recorded.front().Get(kJointPosition).time_s);
  return {
      {.check = "low_rate",
       .joint = "",
       .evidence = fmt::format(
           "{:.3g} samples a second are {:.2g} in a period of the fast part of {}'s motion: "
           "accelerations by every second sample are {:.2g} % smaller",
           rate, *fewest, joint, 100.0 * (1.0 - std::pow(std::cos(std::numbers::pi / *fewest), 2))),
       .cure = "log at ten times the frequency of the motion at least, or move more slowly"}};
}

}  // namespace idbench
