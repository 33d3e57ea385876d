#include "robots/recording/motion_band.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "robots/recording/filter.h"

namespace idbench {
namespace {

constexpr int kLowpassOrder = 5;
constexpr int kStepsPerOctave = 4;
constexpr double kPeriods = 8.0;
constexpr double kHighestPartOfRate = 0.2;
constexpr Eigen::Index kFewestSamples = 200;

/// a(f)², the mean over all.
double MeanSquareAcceleration(std::span<const PositionLog> logs, double cutoff_hz) {
  double squares = 0.0;
  double count = 0.0;
  for (const PositionLog& log : logs) {
    Eigen::MatrixXd q = log.q;
    ButterworthLowpass(kLowpassOrder, cutoff_hz, log.rate_hz).ApplyZeroPhase(q);
    const Eigen::Index edge = q.rows() / 10;
    const Eigen::Index inside = q.rows() - 2 * edge;
    const Eigen::MatrixXd differences = q.middleRows(edge + 1, inside - 2) * 2.0 -
                                        q.middleRows(edge, inside - 2) -
                                        q.middleRows(edge + 2, inside - 2);
    squares += differences.squaredNorm() * std::pow(log.rate_hz, 4);
    count += static_cast<double>(differences.size());
  }
  return squares / count;
}

void CheckLogs(std::span<const PositionLog> logs) {
  if (logs.empty()) throw std::invalid_argument("there is no log");
  for (const PositionLog& log : logs) {
    if (!(log.rate_hz > 0.0)) throw std::invalid_argument("a rate is not positive");
    if (log.q.rows() < kFewestSamples) {
      throw std::invalid_argument("a log has fewer than 200 samples");
    }
  }
}

/// The frequencies that are tried, rising.
std::vector<double> Frequencies(std::span<const PositionLog> logs) {
  double lowest = 0.0;
  double highest = std::numeric_limits<double>::infinity();
  for (const PositionLog& log : logs) {
    lowest = std::max(lowest, kPeriods * log.rate_hz / static_cast<double>(log.q.rows()));
    highest = std::min(highest, kHighestPartOfRate * log.rate_hz);
  }
  std::vector<double> frequencies;
  for (int k = 0;; ++k) {
    const double f = lowest * std::pow(2.0, static_cast<double>(k) / kStepsPerOctave);
    if (f > highest && frequencies.size() > kStepsPerOctave) return frequencies;
    if (f >= 0.5 * highest / kHighestPartOfRate) {
      throw std::invalid_argument("a log is too short for its rate");
    }
    frequencies.push_back(f);
  }
}

}  // namespace

MotionBand FindMotionBand(std::span<const PositionLog> logs) {
  CheckLogs(logs);
  const std::vector<double> f = Frequencies(logs);
  std::vector<double> a;  // root mean squares
  for (const double cutoff : f) a.push_back(std::sqrt(MeanSquareAcceleration(logs, cutoff)));
  if (!(a.back() > 0.0)) throw std::invalid_argument("nothing moves");
  const std::size_t tried = f.size() - kStepsPerOctave;
  const auto growth = [&](std::size_t k) {
    return a[k] > 0.0 ? a[k + kStepsPerOctave] / a[k] : std::numeric_limits<double>::infinity();
  };
  double greatest = 0.0;
  std::size_t least = 0;
  for (std::size_t k = 0; k < tried; ++k) {
    if (growth(k) < 1.0 + MotionBand::kSteadyChange) greatest = std::max(greatest, a[k]);
    if (growth(k) < growth(least)) least = k;
  }
  std::size_t at = least;
  for (std::size_t k = tried; greatest > 0.0 && k-- > 0;) {
    const bool rests = growth(k) < 1.0 + MotionBand::kSteadyChange;
    if (rests && a[k] >= MotionBand::kLeastShare * greatest) at = k;
  }
  MotionBand band{.frequency_hz = f[at], .steady = greatest > 0.0, .cutoff_hz = f[at]};
  if (!band.steady) return band;
  const double wanted = MotionBand::kAboveBand * f[at];
  for (std::size_t k = at; k < f.size() && a[k] * a[k] <= 2.0 * a[at] * a[at]; ++k) {
    band.cutoff_hz = std::min(wanted, f[k]);
  }
  return band;
}

}  // namespace idbench
