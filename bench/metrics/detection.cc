#include "bench/metrics/detection.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace idbench {
namespace {

/// Thresholds that ThresholdAt() tries before it searches between two of them.
constexpr Eigen::Index kTried = 512;
/// Round-off of stamps [s].
constexpr double kSameTime = 1e-9;

bool Holds(const std::vector<bool>& flags, Eigen::Index k) {
  return flags[static_cast<std::size_t>(k)];
}

/// Time in which nothing is there: each sample stands for the time to the next [s].
double FreeTime(const DetectionRecord& record) {
  double free_s = 0.0;
  for (Eigen::Index k = 0; k + 1 < record.time_s.size(); ++k) {
    if (!Holds(record.there, k)) free_s += record.time_s[k + 1] - record.time_s[k];
  }
  return free_s;
}

}  // namespace

std::vector<RocPoint> RocOf(const DetectionRecord& record) {
  std::vector<std::pair<double, bool>> samples;
  for (Eigen::Index k = 0; k < record.statistic.size(); ++k) {
    if (std::isnan(record.statistic[k])) continue;
    samples.emplace_back(record.statistic[k], Holds(record.there, k));
  }
  const auto positives = std::ranges::count(samples, true, &std::pair<double, bool>::second);
  const auto negatives = std::ssize(samples) - positives;
  if (positives == 0 || negatives == 0) return {};
  std::ranges::sort(samples, std::greater(), &std::pair<double, bool>::first);
  std::vector<RocPoint> roc = {{0.0, 0.0}};
  std::ptrdiff_t found = 0, wrong = 0;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    ++(samples[k].second ? found : wrong);
    if (k + 1 < samples.size() && samples[k + 1].first == samples[k].first) continue;
    roc.push_back({static_cast<double>(wrong) / static_cast<double>(negatives),
                   static_cast<double>(found) / static_cast<double>(positives)});
  }
  return roc;
}

std::optional<double> AreaUnder(const std::vector<RocPoint>& roc) {
  if (roc.empty()) return std::nullopt;
  double area = 0.0;
  for (std::size_t k = 1; k < roc.size(); ++k) {
    area += (roc[k].false_positive_rate - roc[k - 1].false_positive_rate) * 0.5 *
            (roc[k].true_positive_rate + roc[k - 1].true_positive_rate);
  }
  return area;
}

std::optional<double> TruePositiveRateAt(const std::vector<RocPoint>& roc,
                                         double false_positive_rate) {
  if (roc.empty()) return std::nullopt;
  // The last point that is not beyond: of several with one false positive rate the best.
  const auto next =
      std::ranges::upper_bound(roc, false_positive_rate, {}, &RocPoint::false_positive_rate);
  assert(next != roc.begin());
  const RocPoint& before = *(next - 1);
  if (next == roc.end()) return before.true_positive_rate;
  const double part = (false_positive_rate - before.false_positive_rate) /
                      (next->false_positive_rate - before.false_positive_rate);
  return before.true_positive_rate + part * (next->true_positive_rate - before.true_positive_rate);
}

std::vector<Episode> EpisodesOf(const Eigen::VectorXd& time_s, const std::vector<bool>& active,
                                double join_s) {
  std::vector<Episode> episodes;
  for (Eigen::Index k = 0; k < time_s.size(); ++k) {
    if (!Holds(active, k)) continue;
    if (!episodes.empty() && (episodes.back().last == k - 1 ||
                              time_s[k] - time_s[episodes.back().last] <= join_s + kSameTime)) {
      episodes.back().last = k;
    } else {
      episodes.push_back({k, k});
    }
  }
  return episodes;
}

std::optional<double> FalseEpisodesPerMinute(const DetectionRecord& record,
                                             const std::vector<bool>& alarms) {
  const double free_s = FreeTime(record);
  if (!(free_s > 0.0)) return std::nullopt;
  const auto is_false = [&record](const Episode& episode) {
    for (Eigen::Index k = episode.first; k <= episode.last; ++k) {
      if (Holds(record.there, k)) return false;
    }
    return true;
  };
  const auto wrong =
      std::ranges::count_if(EpisodesOf(record.time_s, alarms, kJoinAlarms), is_false);
  return 60.0 * static_cast<double>(wrong) / free_s;
}

std::vector<bool> AlarmsAbove(const DetectionRecord& record, double threshold) {
  std::vector<bool> alarms(record.there.size());
  for (std::size_t k = 0; k < alarms.size(); ++k) {
    alarms[k] = record.statistic[static_cast<Eigen::Index>(k)] > threshold;
  }
  return alarms;
}

std::optional<double> ThresholdAt(const DetectionRecord& record, double false_episodes_per_minute) {
  // Only where nothing is there an alarm may be false.
  std::vector<double> values;
  for (Eigen::Index k = 0; k < record.statistic.size(); ++k) {
    if (!Holds(record.there, k) && !std::isnan(record.statistic[k])) {
      values.push_back(record.statistic[k]);
    }
  }
  if (!(FreeTime(record) > 0.0)) return std::nullopt;
  std::ranges::sort(values, std::greater());
  const auto repeated = std::ranges::unique(values);
  values.erase(repeated.begin(), repeated.end());
  const auto too_many = [&](Eigen::Index k) {
    const auto alarms = AlarmsAbove(record, values[static_cast<std::size_t>(k)]);
    return *FalseEpisodesPerMinute(record, alarms) > false_episodes_per_minute;
  };
  // The greatest value has no false alarm above it.
  Eigen::Index good = 0, bad = std::ssize(values);
  const Eigen::Index step = std::max<Eigen::Index>(1, bad / kTried);
  for (Eigen::Index k = step; k < std::ssize(values); k += step) {
    if (too_many(k)) {
      bad = k;
      break;
    }
    good = k;
  }
  while (bad - good > 1) {
    const Eigen::Index middle = good + (bad - good) / 2;
    if (middle < std::ssize(values) && too_many(middle)) {
      bad = middle;
    } else {
      good = middle;
    }
  }
  if (values.empty()) return -std::numeric_limits<double>::infinity();
  return values[static_cast<std::size_t>(good)];
}

std::vector<double> DelaysOf(const DetectionRecord& record, const std::vector<bool>& alarms) {
  std::vector<double> delays_s;
  for (const Episode& episode : EpisodesOf(record.time_s, record.there, 0.0)) {
    double delay_s = std::numeric_limits<double>::infinity();
    for (Eigen::Index k = episode.first; k <= episode.last; ++k) {
      if (!Holds(alarms, k)) continue;
      delay_s = record.time_s[k] - record.time_s[episode.first];
      break;
    }
    delays_s.push_back(delay_s);
  }
  return delays_s;
}

std::optional<double> MedianDelay(std::vector<double> delays_s) {
  if (delays_s.empty()) return std::nullopt;
  const auto middle = delays_s.begin() + (std::ssize(delays_s) - 1) / 2;
  std::ranges::nth_element(delays_s, middle);
  return *middle;
}

}  // namespace idbench
