#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "estimators/interface/observer.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// When an observer says that it is there.
struct DetectionOptions {
  std::optional<double> threshold = {};
  double false_alarm_rate = 0.01;

  bool operator==(const DetectionOptions&) const = default;
};
/// Adds `threshold` and `false_alarm_rate`.
void AddDetection(DetectionOptions& options, FieldTable& table);

/// Returns the χ² of `to` degrees of freedom that is about as unlikely as `square`, of `from`
/// degrees: statistics of more or fewer rows, made comparable. Increases with `square`, and is
/// `square` itself if to = from. The cube root of χ²/n counts as normal, with the mean 1 − 2/(9n)
/// and the variance 2/(9n). Source: Wilson & Hilferty, PNAS 17(12), 1931.
double EquivalentSquare(double square, int from, int to);

/// Returns the threshold: that of the options, or the (1 − false_alarm_rate) quantile of the
/// statistic in the identification data, NaN left out. The model has mostly been fitted to these,
/// and then the statistic is larger in fresh data, the more so the fewer the samples.
/// @throws EstimationFailure (refused) if the options have none and there are fewer than
///         1/false_alarm_rate values.
double ThresholdOf(const DetectionOptions& options, const std::vector<Eigen::VectorXd>& statistics);

/// Returns what was detected: the series `statistic`, and the labels `detected` where it is above
/// the threshold; −1 where it is NaN.
/// @param classes  below the threshold, and above it.
Observation DetectionOf(const Eigen::VectorXd& time_s, const Eigen::VectorXd& statistic,
                        double threshold, std::vector<std::string> classes);

}  // namespace idbench
