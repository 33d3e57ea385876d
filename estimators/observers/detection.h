#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "estimators/interface/observer.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// When an observer says that it is there: at a `threshold`, or at one that the identification data
/// decide, see ThresholdOf(). At most one of the optional numbers is there.
struct DetectionOptions {
  std::optional<double> threshold = {};
  double false_alarm_rate = 0.01;
  std::optional<int> f_degrees = {};
  std::optional<double> false_episodes_per_minute = {};

  bool operator==(const DetectionOptions&) const = default;
};
/// Adds all of them. The table refuses more than one rule.
void AddDetection(DetectionOptions& options, FieldTable& table);

/// A statistic over the samples of identification data, where nothing acts.
struct TrainedStatistic {
  Eigen::VectorXd time_s;  ///< N, increasing [s].
  Eigen::VectorXd values;  ///< N; NaN where there is none.
};

/// Returns the χ² of `to` degrees of freedom that is about as unlikely as `square`, of `from`
/// degrees: statistics of more or fewer rows, made comparable. Increases with `square`, and is
/// `square` itself if to = from. The cube root of χ²/n counts as normal, with the mean 1 − 2/(9n)
/// and the variance 2/(9n). Source: Wilson & Hilferty, PNAS 17(12), 1931.
double EquivalentSquare(double square, int from, int to);

/// Returns n(N − 1)/(N − n)·F_{n, N−n; 1−α}, above which Hotelling's statistic of n rows and a
/// covariance of N samples is with the probability α, if samples are independent and Gaussian.
/// Tends to the (1 − α) quantile of χ² of n degrees.
/// @param n  1 ≤ n < N. @param false_alarm_rate  α, in (0, 1).
/// Source: Traversaro, Del Prete, Muradore, Natale & Nori, 2013, equation 18.
double HotellingThreshold(int n, double N, double false_alarm_rate);

/// Returns the least threshold above which no threshold has more episodes of alarms, values above
/// it no further apart than kJoinAlarms, than `most`, over all statistics; alarms of two statistics
/// are never one.
/// @param statistics  with a value that is not NaN.
double ThresholdOfEpisodes(std::span<const TrainedStatistic> statistics, double most);

/// Returns the threshold: that of the options, or
///   - `f_degrees` n: HotellingThreshold() of n, the number N of values in the identification data
///     and false_alarm_rate. n need not be the number of rows: it sets the operating point;
///   - `false_episodes_per_minute`: ThresholdOfEpisodes() of that rate times the duration of the
///     identification data. It needs no independent samples;
///   - otherwise the (1 − false_alarm_rate) quantile of the statistic in the identification data,
/// NaN left out. The model has mostly been fitted to these, and then the statistic is larger in
/// fresh data, the more so the fewer the samples.
/// @throws EstimationFailure (refused) if the options have none and there are fewer than
///         1/false_alarm_rate values, no more than n, or less than the time of one episode.
double ThresholdOf(const DetectionOptions& options, std::span<const TrainedStatistic> statistics);

/// Returns what was detected: the series `statistic`, and the labels `detected` where it is above
/// the threshold; −1 where it is NaN.
/// @param classes  below the threshold, and above it.
Observation DetectionOf(const Eigen::VectorXd& time_s, const Eigen::VectorXd& statistic,
                        double threshold, std::vector<std::string> classes);

}  // namespace idbench
