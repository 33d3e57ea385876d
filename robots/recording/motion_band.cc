#include "robots/recording/motion_band.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "robots/recording/filter.h"

namespace idbench {
namespace {

constexpr int kLowpassOrder = 5;
constexpr int kStepsPerOctave = 4;
constexpr double kPeriods = 8.0;
constexpr double kHighestPartOfRate = 0.2;
constexpr Eigen::Index kFewestSamples = 200;

/// a(f), found at its first use.
class RmsAcceleration {
 public:
  RmsAcceleration(std::vector<const PositionLog*> logs, std::vector<double> frequencies)
      : logs_(std::move(logs)), frequencies_(std::move(frequencies)), found_(frequencies_.size()) {}

  /// At the frequency of that index.
  double operator[](std::size_t k) {
    if (!found_[k]) found_[k] = At(frequencies_[k]);
    return *found_[k];
  }

 private:
  double At(double cutoff_hz) {
    double squares = 0.0;
    double count = 0.0;
    for (const PositionLog* log : logs_) {
      q_ = log->q;
      ButterworthLowpass(kLowpassOrder, cutoff_hz, log->rate_hz).ApplyZeroPhase(q_);
      const Eigen::Index edge = q_.rows() / 10;
      const Eigen::Index inner = q_.rows() - 2 * edge - 2;
      double of_log = 0.0;
      for (const auto q : q_.colwise()) {
        of_log +=
            (q.segment(edge + 1, inner) * 2.0 - q.segment(edge, inner) - q.segment(edge + 2, inner))
                .squaredNorm();
      }
      squares += of_log * std::pow(log->rate_hz, 4);
      count += static_cast<double>(inner * q_.cols());
    }
    return std::sqrt(squares / count);
  }

  std::vector<const PositionLog*> logs_;
  std::vector<double> frequencies_;
  std::vector<std::optional<double>> found_;
  Eigen::MatrixXd q_;  ///< Scratch.
};

double DurationOf(const PositionLog& log) {
  return static_cast<double>(log.q.rows()) / log.rate_hz;
}

/// The logs that are long enough to tell of the band.
std::vector<const PositionLog*> LongLogs(std::span<const PositionLog> logs) {
  if (logs.empty()) throw std::invalid_argument("there is no log");
  double longest_s = 0.0;
  for (const PositionLog& log : logs) {
    if (!(log.rate_hz > 0.0)) throw std::invalid_argument("a rate is not positive");
    longest_s = std::max(longest_s, DurationOf(log));
  }
  std::vector<const PositionLog*> chosen;
  for (const PositionLog& log : logs) {
    const bool is_long = DurationOf(log) >= MotionBand::kLeastLength * longest_s;
    if (is_long && log.q.rows() >= kFewestSamples) chosen.push_back(&log);
  }
  if (chosen.empty()) throw std::invalid_argument("a log has fewer than 200 samples");
  return chosen;
}

/// The frequencies that are tried, rising.
std::vector<double> Frequencies(const std::vector<const PositionLog*>& logs) {
  double lowest = 0.0;
  double highest = std::numeric_limits<double>::infinity();
  for (const PositionLog* log : logs) {
    lowest = std::max(lowest, kPeriods * log->rate_hz / static_cast<double>(log->q.rows()));
    highest = std::min(highest, kHighestPartOfRate * log->rate_hz);
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
  const std::vector<const PositionLog*> chosen = LongLogs(logs);
  const std::vector<double> f = Frequencies(chosen);
  RmsAcceleration a(chosen, f);
  if (!(a[f.size() - 1] > 0.0)) throw std::invalid_argument("nothing moves");
  const std::size_t tried = f.size() - kStepsPerOctave;
  const auto growth = [&](std::size_t k) {
    return a[k] > 0.0 ? a[k + kStepsPerOctave] / a[k] : std::numeric_limits<double>::infinity();
  };
  // From the highest: as a(f) grows with f, none below that with too small a share counts.
  double greatest = 0.0;
  std::size_t at = 0;
  for (std::size_t k = tried; k-- > 0;) {
    if (greatest > 0.0 && a[k] < MotionBand::kLeastShare * greatest) break;
    if (growth(k) >= 1.0 + MotionBand::kSteadyChange) continue;
    greatest = std::max(greatest, a[k]);
    at = k;
  }
  const bool steady = greatest > 0.0;
  for (std::size_t k = 0; !steady && k < tried; ++k) {
    if (growth(k) < growth(at)) at = k;
  }
  MotionBand band{.frequency_hz = f[at], .steady = steady, .cutoff_hz = f[at]};
  if (!band.steady) return band;
  const double wanted = MotionBand::kAboveBand * f[at];
  for (std::size_t k = at; k < f.size() && a[k] * a[k] <= 2.0 * a[at] * a[at]; ++k) {
    band.cutoff_hz = std::min(wanted, f[k]);
    if (f[k] >= wanted) break;
  }
  return band;
}

}  // namespace idbench
