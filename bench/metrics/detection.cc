#include "bench/metrics/detection.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace idbench {
namespace {

/// Of two thresholds that are tried, the lower one has so many times as many values above it.
constexpr double kNextRank = 1.05;
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

/// Samples in which nothing is there, between what is.
struct Stretch {
  Eigen::Index first = 0, last = 0;
  double after_s = 0.0;   ///< Stamp of the last sample before it with what is there; −∞: none.
  double before_s = 0.0;  ///< Stamp of the first one behind it; ∞: none.
};

std::vector<Stretch> FreeStretches(const DetectionRecord& record) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const auto& t_s = record.time_s;
  std::vector<Stretch> stretches;
  Stretch next{0, 0, -kNever, kNever};
  for (const Episode& there : EpisodesOf(t_s, record.there, kJoinAlarms)) {
    next.last = there.first - 1;
    next.before_s = t_s[there.first];
    if (next.first <= next.last) stretches.push_back(next);
    next = {there.last + 1, 0, t_s[there.last], kNever};
  }
  next.last = t_s.size() - 1;
  if (next.first <= next.last) stretches.push_back(next);
  return stretches;
}

/// Whether alarms of a stretch are the end of what was found before it, or the begin of what is
/// found behind it.
bool BelongsToNeighbour(const DetectionRecord& record, const Stretch& stretch, Eigen::Index first,
                        Eigen::Index last) {
  const double begin_s = record.time_s[first], end_s = record.time_s[last];
  const bool trails = begin_s <= stretch.after_s + kJoinAlarms + kSameTime &&
                      end_s <= stretch.after_s + kAlarmTail + kSameTime;
  return trails || begin_s >= stretch.before_s - kJoinAlarms - kSameTime;
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
  const std::vector<Episode> episodes = EpisodesOf(record.time_s, alarms, kJoinAlarms);
  int wrong = 0;
  for (const Stretch& stretch : FreeStretches(record)) {
    for (const Episode& episode : episodes) {
      Eigen::Index first = std::max(episode.first, stretch.first);
      Eigen::Index last = std::min(episode.last, stretch.last);
      while (first <= last && !Holds(alarms, first)) ++first;
      while (first <= last && !Holds(alarms, last)) --last;
      if (first <= last && !BelongsToNeighbour(record, stretch, first, last)) ++wrong;
    }
  }
  return 60.0 * wrong / free_s;
}

std::vector<bool> AlarmsAbove(const DetectionRecord& record, double threshold) {
  std::vector<bool> alarms(record.there.size());
  for (std::size_t k = 0; k < alarms.size(); ++k) {
    alarms[k] = record.statistic[static_cast<Eigen::Index>(k)] > threshold;
  }
  return alarms;
}

std::vector<double> DelaysOf(const DetectionRecord& record, const std::vector<bool>& alarms) {
  const auto& t_s = record.time_s;
  std::vector<double> delays_s;
  for (const Episode& there : EpisodesOf(t_s, record.there, kJoinAlarms)) {
    const double begin_s = t_s[there.first];
    double delay_s = std::numeric_limits<double>::infinity();
    Eigen::Index k = there.first;
    while (k > 0 && t_s[k - 1] >= begin_s - kJoinAlarms - kSameTime) --k;
    for (; k <= there.last; ++k) {
      if (!Holds(alarms, k) || (k > 0 && Holds(alarms, k - 1))) continue;
      Eigen::Index end = k;
      while (end < there.first && Holds(alarms, end)) ++end;
      if (!Holds(alarms, end)) continue;  // gone before it could find anything
      delay_s = std::max(0.0, t_s[k] - begin_s);
      break;
    }
    delays_s.push_back(delay_s);
  }
  return delays_s;
}

std::optional<double> MedianDelayAt(const DetectionRecord& record,
                                    double false_episodes_per_minute) {
  // Only where nothing is there an alarm may be false.
  std::vector<double> values;
  for (Eigen::Index k = 0; k < record.statistic.size(); ++k) {
    if (!Holds(record.there, k) && !std::isnan(record.statistic[k])) {
      values.push_back(record.statistic[k]);
    }
  }
  if (!(FreeTime(record) > 0.0) || values.empty()) return std::nullopt;
  std::ranges::sort(values, std::greater());
  const auto repeated = std::ranges::unique(values);
  values.erase(repeated.begin(), repeated.end());
  std::optional<double> shortest;
  for (std::size_t k = 0; k < values.size();
       k = std::max(k + 1, static_cast<std::size_t>(kNextRank * static_cast<double>(k)))) {
    const std::vector<bool> alarms = AlarmsAbove(record, values[k]);
    if (*FalseEpisodesPerMinute(record, alarms) > false_episodes_per_minute) continue;
    const std::optional<double> median = MedianDelay(DelaysOf(record, alarms));
    if (!median) return std::nullopt;
    shortest = std::min(shortest.value_or(*median), *median);
  }
  return shortest;
}

std::optional<double> MedianDelay(std::vector<double> delays_s) {
  if (delays_s.empty()) return std::nullopt;
  const auto middle = delays_s.begin() + (std::ssize(delays_s) - 1) / 2;
  std::ranges::nth_element(delays_s, middle);
  return *middle;
}

}  // namespace idbench
