#include "estimators/observers/detection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace idbench {

void AddDetection(DetectionOptions& options, FieldTable& table) {
  table.Add(
      "threshold", options.threshold,
      {.doc = "Statistic above which it is detected; absent: the quantile of the statistic in "
              "the identification data, see false_alarm_rate",
       .lower = 0.0});
  table.Add(
      "false_alarm_rate", options.false_alarm_rate,
      {.doc = "Part of the instants of the identification data at which the statistic is above "
              "the threshold, if none is given; in fresh data it is more, because the model "
              "was fitted to these",
       .lower = 0.0,
       .upper = 1.0,
       .lower_open = true});
}

double EquivalentSquare(double square, int from, int to) {
  if (from == to) return square;
  const auto variance = [](int n) { return 2.0 / (9.0 * n); };
  const double normal =
      (std::cbrt(square / from) - (1.0 - variance(from))) / std::sqrt(variance(from));
  const double root = 1.0 - variance(to) + normal * std::sqrt(variance(to));
  return to * std::max(root, 0.0) * std::max(root, 0.0) * std::max(root, 0.0);
}

double ThresholdOf(const DetectionOptions& options,
                   const std::vector<Eigen::VectorXd>& statistics) {
  if (options.threshold) return *options.threshold;
  std::vector<double> all;
  for (const Eigen::VectorXd& each : statistics) {
    for (const double value : each) {
      if (!std::isnan(value)) all.push_back(value);
    }
  }
  const double count = static_cast<double>(all.size());
  if (count * options.false_alarm_rate < 1.0) {
    Refuse(fmt::format(
        "the statistic has {} values in the identification data, a threshold at the "
        "false alarm rate {:g} takes at least {:.0f}; set \"threshold\", or a higher "
        "rate",
        all.size(), options.false_alarm_rate, std::ceil(1.0 / options.false_alarm_rate)));
  }
  // As many are above it as the rate says at most.
  const auto above = static_cast<std::ptrdiff_t>(count * options.false_alarm_rate);
  const auto at = all.end() - std::min(above + 1, std::ssize(all));
  std::ranges::nth_element(all, at);
  return *at;
}

Observation DetectionOf(const Eigen::VectorXd& time_s, const Eigen::VectorXd& statistic,
                        double threshold, std::vector<std::string> classes) {
  Labels labels{.name = std::string(kDetected),
                .classes = std::move(classes),
                .time_s = time_s,
                .chosen = Eigen::VectorXi(statistic.size())};
  for (Eigen::Index k = 0; k < statistic.size(); ++k) {
    labels.chosen[k] = std::isnan(statistic[k]) ? -1 : (statistic[k] > threshold ? 1 : 0);
  }
  Observation observation;
  observation.series.push_back({.name = std::string(kStatistic),
                                .columns = {"T2"},
                                .units = {"1"},
                                .time_s = time_s,
                                .values = statistic});
  observation.labels.push_back(std::move(labels));
  return observation;
}

}  // namespace idbench
