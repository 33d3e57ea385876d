#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/run/metric_store.h"
#include "reports/run/run_folder.h"
#include "reports/statistics/statistics.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// Statistics of one metric of one estimator in one cell.
struct MetricSummary {
  std::string name;
  std::string unit;
  std::optional<SampleStatistics> overall;  ///< Absent for a metric with components only.
  Labelled<SampleStatistics> components;
  /// Range of what the values count over.
  std::optional<std::pair<std::size_t, std::size_t>> count_range;
  std::size_t failed = 0;     ///< Successful estimates that have no value of it.
  std::string first_failure;  ///< First reason among these.
  FailureReasons reasons;     ///< All of them.
};

struct EstimatorSummary {
  std::string label;
  MetricSubject subject = MetricSubject::kEstimator;
  /// Of an observation the observer and its model, which its label joins; else "".
  std::string observer = {}, model = {};
  std::string experiment = {};  ///< Of a motion its experiment, which its label joins; else "".
  EstimateTally tally;
  std::vector<MetricSummary> metrics;  ///< Metrics that have a meaning for this estimator.
  Labelled<FailureReasons> absent;     ///< Those that it cannot have, with the reasons.
  /// Results that are too good to be true, one sentence each; see BoundAlarms.
  std::vector<std::string> alarms;
  std::optional<DurationStatistics> update_us;
  std::optional<DurationStatistics> estimate_ms;
  std::optional<double> update_allocations;  ///< See TimingSamples.
  std::optional<double> estimate_allocations;
  std::optional<DeadlineMisses> deadline;

  /// Returns nullptr if there is none.
  const MetricSummary* Find(const std::string& metric) const;
};

struct CellSummary {
  RunCell cell;
  std::size_t rollouts = 0;
  std::size_t motions = 0;  ///< 1 if all roll-outs share one.
  /// Equal in cells that share their roll-outs, or their motions.
  std::size_t rollout_set = 0, motion_set = 0;
  std::vector<EstimatorSummary> estimators;  ///< In the manifest's order, with all others.
};

/// Statistics of a run. Its size does not depend on the number of trials.
struct Summary {
  std::string scenario;
  std::vector<CellSummary> cells;
};

/// Returns all alarms of a run, each with its cell if there are several.
std::vector<std::string> AlarmsOf(const Summary& summary);

/// Computes all statistics, one metric of one cell at a time.
/// @throws ConfigError if a file of the folder is damaged.
Summary Summarise(const RunFolder& folder);

/// Returns the document `summary.json`, format 1:
///
///     {"format": 1, "scenario": "…", "cells": [{"axes": {"case": "1"}, "rollouts": 1,
///       "estimators": [{"label": "…", "trials": 1000, "failed": 2, "reasons": {"diverged": 2},
///         "metrics": {"torque_rmse_nm@validation": {"unit": "N·m", "n": 998, "mean": 1.2, …,
///           "components": [{"label": "joint1", "n": 998, "mean": 1.2, …}]}},
///         "timing": {"update_us": {"n": 4000, "median": 1.0, "p99": 1.4, "allocations": 0},
///                    "estimate_ms": {…},
///                    "deadline": {"rate_hz": 100, "updates": 4000, "misses": 0}}}]}]}
///
/// What observers found stands beside the estimators:
///
///     "observers": [{"label": "T2", "model": "ols", "trials": 1000, …, "metrics": {…}}]
///
/// and so do the motions of experiments, which have metrics but no timing:
///
///     "motions": [{"label": "excitation", "trials": 1000, …, "metrics": {…}}]
///
/// A metric that an estimator cannot have is in its `absent`: {"nis": "why"}.
/// A metric's own failures are trials − n. An absent statistic has no key; nor have the keys n …
/// ci95_mean of a metric with components only, nor what `timing` did not measure. `count` {min,
/// max} is the range of what a value counts over (directions of a coverage), if records have it.
/// `ci95_mean` is the 95 % interval of the mean over independent roll-outs (over trials, if they
/// share one): of the studentised bootstrap, of proportions Wilson's. Below kFewestForSkewed of
/// them that of very skewed values holds the mean less often.
Json ToJson(const Summary& summary);

}  // namespace idbench
