#include "reports/run/bound_alarms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/statistics/holm.h"

namespace idbench {
namespace {

/// Smaller probabilities are told as this one.
constexpr double kLeastTold = 1e-99;

}  // namespace

bool BoundAlarms::IsBoundOf(std::size_t estimator, const RunMetric& metric) const {
  if (metric.law == ValueLaw::kBayesianBoundRatio) return true;
  const std::string& label = manifest_.estimators[estimator];
  return metric.law == ValueLaw::kUnbiasedBoundRatio &&
         std::ranges::find(manifest_.unbiased, label) != manifest_.unbiased.end();
}

void BoundAlarms::Add(std::size_t cell, std::size_t estimator, const RunMetric& metric,
                      const MetricSamples& samples) {
  if (!IsBoundOf(estimator, metric)) return;
  const auto unknowns = static_cast<double>(manifest_.cells[cell].parameters.size());
  Test test{cell, estimator, &metric, {}};
  for (std::size_t trial = 0; trial < samples.overall.size(); ++trial) {
    const double ratio = samples.overall[trial];
    if (!std::isfinite(ratio)) {
      ++test.sum.missing;
      continue;
    }
    // A bound of linear estimators alone, which others may beat.
    if (trial < samples.counts.size() && samples.counts[trial] == 0.0) return;
    const double degrees =
        metric.law == ValueLaw::kBayesianBoundRatio ? unknowns : samples.counts[trial];
    if (!(degrees > 0)) return;
    test.sum.Add(degrees * ratio, degrees);
  }
  if (test.sum.terms > 0) tests_.push_back(test);
}

std::vector<BoundAlarm> BoundAlarms::Raised() const {
  std::vector<double> p;
  for (const Test& test : tests_) p.push_back(ProbabilityOfAtMost(test.sum));
  const std::vector<double> adjusted = HolmAdjusted(p);
  std::vector<BoundAlarm> raised;
  for (std::size_t i = 0; i < tests_.size(); ++i) {
    if (adjusted[i] > kBoundAlarmLevel) continue;
    raised.push_back({tests_[i].cell, tests_[i].estimator, SentenceOf(tests_[i], adjusted[i])});
  }
  return raised;
}

std::string BoundAlarms::SentenceOf(const Test& test, double p) const {
  const bool bayesian = test.metric->law == ValueLaw::kBayesianBoundRatio;
  return fmt::format(
      "{} of {} is {:.3g} over {} trial{}: an {}estimator with normal errors comes so low with a "
      "probability of at most {:.1g} (adjusted for {} test{}), so suspect a leak of the truth, a "
      "wrong σ, {}or errors far from normal",
      test.metric->name, manifest_.estimators[test.estimator], test.sum.sum / test.sum.degrees,
      test.sum.terms, test.sum.terms == 1 ? "" : "s", bayesian ? "" : "unbiased ",
      std::max(p, kLeastTold), tests_.size(), tests_.size() == 1 ? "" : "s",
      bayesian ? "" : "a bias ");
}

}  // namespace idbench
