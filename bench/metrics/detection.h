#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "estimators/interface/observer.h"

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

/// An alarm may outlast what it found by this time before it is false [s]: windows and filters of
/// observers keep a contact for tenths of a second, and whoever lets go does not wait longer.
inline constexpr double kAlarmTail = 1.0;

/// Returns the number of false episodes of alarms per minute in which nothing is there; nothing
/// where something always is.
///
/// An episode counts in each stretch in which nothing is there, as far as it lies in it. It is not
/// false in a stretch if it begins no more than kJoinAlarms before something is there, or if it
/// goes on from what was there, or begins no more than kJoinAlarms behind it, and is over
/// kAlarmTail behind it. So an alarm that is always on is false in every stretch.
std::optional<double> FalseEpisodesPerMinute(const DetectionRecord& record,
                                             const std::vector<bool>& alarms);

/// Returns the alarms of a threshold: where the statistic is above it.
std::vector<bool> AlarmsAbove(const DetectionRecord& record, double threshold);

/// Returns, for each episode in which something is there, the time from its beginning to the begin
/// of the first alarm that finds it [s]; infinite where there is none before its end. An alarm that
/// began more than kJoinAlarms before is none: it was on already. One that began less before finds
/// it at once.
std::vector<double> DelaysOf(const DetectionRecord& record, const std::vector<bool>& alarms);

/// Returns the lower median, which is infinite where fewer than half are finite; nothing of none.
std::optional<double> MedianDelay(std::vector<double> delays_s);

/// Returns the shortest MedianDelay() of the thresholds that have no more false episodes: infinite
/// where all of these miss most. Thresholds are values of the statistic where nothing is there: the
/// greatest ones all, of lower ones some, each with about 5 % more values above it. Nothing where
/// nothing is ever there, or something always is.
std::optional<double> MedianDelayAt(const DetectionRecord& record,
                                    double false_episodes_per_minute);

}  // namespace idbench
