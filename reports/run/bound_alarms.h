#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/run/metric_store.h"
#include "reports/run/run_manifest.h"
#include "reports/statistics/chi_square.h"

namespace idbench {

/// Greatest probability of any false alarm in a run whose estimators all reach their bounds.
inline constexpr double kBoundAlarmLevel = 0.001;

/// An estimator whose errors are smaller than a bound allows.
struct BoundAlarm {
  std::size_t cell = 0;
  std::size_t estimator = 0;
  std::string sentence;
};

/// Judges all ratios of squared errors to bounds (ValueLaw) of a run: which of them are so far
/// below 1 that chance cannot explain it.
///
/// A ratio is eᵀJe/ν, with e the error of ν unknowns or directions, and J the inverse of a
/// covariance that no unbiased estimator (Cramér-Rao), or no estimator on average over a drawn
/// prior (van Trees), can go below. If e is normal and reaches the bound, ν times the ratio is
/// χ²_ν, whatever J is; so the sum over independent trials is χ² with Σν degrees of freedom. A
/// normal e with a larger covariance, or with a bias beside the bound's covariance, makes larger
/// sums: then false alarms are rarer still. For e linear in normal noise, as that of `ols` in a
/// problem affine in its unknowns, this is exact but for what the noise does to the filtered
/// motion.
///
/// *What trials share.* Roll-outs do not matter here: given the motion, trials differ by their
/// noise, and the law is the same for every motion. The Bayesian ratio averages over drawn truths
/// or priors; it exists only where each trial draws its own, so its trials are independent too.
/// *What tests share.* Cells, estimators and checkpoints share noise. Holm's adjustment over all
/// tests of the run holds under any dependence.
/// *Failed trials* may be those with large errors: see ProbabilityOfAtMost().
class BoundAlarms {
 public:
  /// @param manifest  of the run; must outlive this object.
  explicit BoundAlarms(const RunManifest& manifest) : manifest_(manifest) {}

  /// Adds a test if the metric is such a ratio, the estimator is one of those that the bound is
  /// for, and the degrees of freedom are known: from each record's `count` (Cramér-Rao), or from
  /// the cell's list of unknowns (van Trees).
  void Add(std::size_t cell, std::size_t estimator, const RunMetric& metric,
           const MetricSamples& samples);

  /// Returns the tests whose adjusted p is at most kBoundAlarmLevel, in the order of Add().
  std::vector<BoundAlarm> Raised() const;

 private:
  struct Test {
    std::size_t cell;
    std::size_t estimator;
    const RunMetric* metric;
    ChiSquareSum sum;
  };

  bool IsBoundOf(std::size_t estimator, const RunMetric& metric) const;
  std::string SentenceOf(const Test& test, double p) const;

  const RunManifest& manifest_;
  std::vector<Test> tests_;
};

}  // namespace idbench
