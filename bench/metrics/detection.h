#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

namespace idbench {

/// A statistic over time beside what was there: how well it detects.
struct DetectionRecord {
  Eigen::VectorXd time_s;     ///< N, increasing [s].
  Eigen::VectorXd statistic;  ///< N: the larger, the more likely; NaN where there is none.
  std::vector<bool> there;    ///< N: the truth.
};

/// Part of the positives that a threshold finds, beside the part of the negatives that it takes for
/// positives.
struct RocPoint {
  double false_positive_rate = 0.0;
  double true_positive_rate = 0.0;
};

/// Returns the receiver operating characteristic, from (0, 0) to (1, 1): a point for each value of
/// the statistic, equal values at once. Samples without a statistic do not count. Empty where all
/// samples are positive, or none is.
std::vector<RocPoint> RocOf(const DetectionRecord& record);

/// Returns the area under the curve: the probability that the statistic of a positive is above that
/// of a negative, ties by half. 1/2 of a constant; nothing of an empty curve.
/// Source: Hanley & McNeil, Radiology 143(1), 1982.
std::optional<double> AreaUnder(const std::vector<RocPoint>& roc);

/// Returns the true positive rate at a false positive rate, on straight lines between the points:
/// what a threshold that ties break by chance has. Nothing of an empty curve.
std::optional<double> TruePositiveRateAt(const std::vector<RocPoint>& roc,
                                         double false_positive_rate);

/// Stretch of samples, [first, last].
struct Episode {
  Eigen::Index first = 0;
  Eigen::Index last = 0;
};
/// Returns the stretches in which `active` holds. Gaps of at most `join_s` belong to them.
std::vector<Episode> EpisodesOf(const Eigen::VectorXd& time_s, const std::vector<bool>& active,
                                double join_s);

/// Alarms that are no further apart are one episode [s].
inline constexpr double kJoinAlarms = 0.2;

/// Returns the number of episodes of alarms in which nothing is there, per minute in which nothing
/// is there; nothing where something always is. An alarm that goes on when what it found has gone
/// is not false.
std::optional<double> FalseEpisodesPerMinute(const DetectionRecord& record,
                                             const std::vector<bool>& alarms);

/// Returns the alarms of a threshold: where the statistic is above it.
std::vector<bool> AlarmsAbove(const DetectionRecord& record, double threshold);

/// Returns the lowest value of the statistic, of those where nothing is there, above which there
/// are no more false episodes; searched from the greatest one down to the first that has more, at
/// about 500 values and then between two of them. −∞ where the statistic has no value there;
/// nothing where something is always there.
std::optional<double> ThresholdAt(const DetectionRecord& record, double false_episodes_per_minute);

/// Returns, for each episode in which something is there, the time from its beginning to its first
/// alarm [s]; infinite where there is none before its end.
std::vector<double> DelaysOf(const DetectionRecord& record, const std::vector<bool>& alarms);

/// Returns the lower median, which is infinite where fewer than half are finite; nothing of none.
std::optional<double> MedianDelay(std::vector<double> delays_s);

}  // namespace idbench
