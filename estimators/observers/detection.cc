#include "estimators/observers/detection.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

namespace idbench {
namespace {

constexpr double kSameTime = 1e-9;  // [s]

/// Alarms of a falling threshold: which samples are above it, and how many episodes they make.
class GrowingAlarms {
 public:
  explicit GrowingAlarms(std::span<const TrainedStatistic> statistics)
      : statistics_(statistics), above_(statistics.size()) {}

  /// Takes one more sample for an alarm.
  void Add(std::size_t statistic, Eigen::Index sample) {
    const Eigen::VectorXd& time_s = statistics_[statistic].time_s;
    std::set<Eigen::Index>& above = above_[statistic];
    const auto joined = [&time_s](Eigen::Index a, Eigen::Index b) {
      return time_s[b] - time_s[a] <= kJoinAlarms + kSameTime;
    };
    const auto next = above.upper_bound(sample);
    const bool has_before = next != above.begin(), has_after = next != above.end();
    const Eigen::Index before = has_before ? *std::prev(next) : 0, after = has_after ? *next : 0;
    ++episodes_;
    if (has_before && joined(before, sample)) --episodes_;
    if (has_after && joined(sample, after)) --episodes_;
    // They were one already.
    if (has_before && has_after && joined(before, after)) ++episodes_;
    above.insert(next, sample);
  }
  int episodes() const { return episodes_; }

 private:
  std::span<const TrainedStatistic> statistics_;
  std::vector<std::set<Eigen::Index>> above_;
  int episodes_ = 0;
};

/// Number of values, NaN left out.
std::size_t CountOf(std::span<const TrainedStatistic> statistics) {
  std::size_t count = 0;
  for (const TrainedStatistic& each : statistics) {
    for (const double value : each.values) count += std::isnan(value) ? 0 : 1;
  }
  return count;
}

double OfRate(const DetectionOptions& options, std::span<const TrainedStatistic> statistics) {
  std::vector<double> all;
  for (const TrainedStatistic& each : statistics) {
    for (const double value : each.values) {
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

double OfEpisodes(double per_minute, std::span<const TrainedStatistic> statistics) {
  double minutes = 0.0;
  for (const TrainedStatistic& each : statistics) {
    if (each.time_s.size() > 1) minutes += (each.time_s.tail<1>()[0] - each.time_s[0]) / 60.0;
  }
  const double most = per_minute * minutes;
  if (most < 1.0 || CountOf(statistics) == 0) {
    Refuse(fmt::format(
        "the identification data last {:.3g} min, a threshold at {:g} false episodes a minute "
        "takes at least {:.3g}; set \"threshold\", or a higher rate",
        minutes, per_minute, 1.0 / per_minute));
  }
  return ThresholdOfEpisodes(statistics, most);
}

}  // namespace

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
  table.Add(
      "f_degrees", options.f_degrees,
      {.doc = "Number n of the threshold n(N − 1)/(N − n)·F of n and N − n degrees of freedom "
              "at 1 − false_alarm_rate, N the samples of the identification data: what "
              "Hotelling's statistic of n rows exceeds at that rate; absent: the threshold "
              "is no such one",
       .lower = 1});
  table.Add("false_episodes_per_minute", options.false_episodes_per_minute,
            {.doc = "Number of episodes of alarms a minute that the identification data have at "
                    "the threshold, alarms within 0.2 s as one; absent: the threshold is no such "
                    "one",
             .unit = "1/min",
             .lower = 0.0,
             .lower_open = true});
  table.Check([&options](std::vector<Issue>& issues) {
    const int rules = (options.threshold ? 1 : 0) + (options.f_degrees ? 1 : 0) +
                      (options.false_episodes_per_minute ? 1 : 0);
    if (rules < 2) return;
    issues.push_back(
        {options.threshold ? "/threshold" : "/f_degrees",
         "there is another rule for the threshold",
         {"accepted here: one of threshold, f_degrees and false_episodes_per_minute"}});
  });
}

double EquivalentSquare(double square, int from, int to) {
  if (from == to) return square;
  const auto variance = [](int n) { return 2.0 / (9.0 * n); };
  const double normal =
      (std::cbrt(square / from) - (1.0 - variance(from))) / std::sqrt(variance(from));
  const double root = 1.0 - variance(to) + normal * std::sqrt(variance(to));
  return to * std::max(root, 0.0) * std::max(root, 0.0) * std::max(root, 0.0);
}

double HotellingThreshold(int n, double N, double false_alarm_rate) {
  const boost::math::fisher_f law(n, N - n);
  const double quantile = boost::math::quantile(boost::math::complement(law, false_alarm_rate));
  return n * (N - 1.0) / (N - n) * quantile;
}

double ThresholdOfEpisodes(std::span<const TrainedStatistic> statistics, double most) {
  struct Value {
    double value;
    std::size_t statistic;
    Eigen::Index sample;
  };
  std::vector<Value> values;
  for (std::size_t s = 0; s < statistics.size(); ++s) {
    for (Eigen::Index k = 0; k < statistics[s].values.size(); ++k) {
      const double value = statistics[s].values[k];
      if (!std::isnan(value)) values.push_back({value, s, k});
    }
  }
  std::ranges::stable_sort(values, std::ranges::greater{}, &Value::value);
  GrowingAlarms alarms(statistics);
  double threshold = values.front().value;  // none is above it
  for (std::size_t i = 0; i < values.size();) {
    threshold = values[i].value;
    // What is equal becomes an alarm at once.
    for (; i < values.size() && values[i].value == threshold; ++i) {
      alarms.Add(values[i].statistic, values[i].sample);
    }
    if (alarms.episodes() > most) return threshold;
  }
  return threshold;
}

double ThresholdOf(const DetectionOptions& options, std::span<const TrainedStatistic> statistics) {
  if (options.threshold) return *options.threshold;
  if (options.false_episodes_per_minute) {
    return OfEpisodes(*options.false_episodes_per_minute, statistics);
  }
  if (!options.f_degrees) return OfRate(options, statistics);
  const std::size_t count = CountOf(statistics);
  if (static_cast<std::size_t>(*options.f_degrees) >= count) {
    Refuse(fmt::format(
        "the statistic has {} values in the identification data, a threshold of {} degrees of "
        "freedom takes more than these; set \"threshold\", or less f_degrees",
        count, *options.f_degrees));
  }
  return HotellingThreshold(*options.f_degrees, static_cast<double>(count),
                            options.false_alarm_rate);
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
  observation.threshold = threshold;
  return observation;
}

}  // namespace idbench
