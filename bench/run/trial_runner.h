#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/cell/cell_context.h"
#include "bench/cell/labelled_estimators.h"
#include "bench/metrics/metrics.h"
#include "bench/run/estimator_run.h"
#include "bench/run/kept_trials.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// What estimators are given instead of a trial's datasets; metrics keep to these.
using DatasetChange =
    std::function<std::vector<Dataset>(const std::vector<Dataset>& datasets, std::int64_t trial)>;

/// Runs trials of one cell on one thread and writes their records. Each estimator runs once on a
/// trial; what is to be kept of the trial goes to KeptTrials.
class TrialRunner {
 public:
  /// @param metrics  full names. Both must outlive this.
  /// @param change  what a self-test does to the data; may be empty.
  /// @param kept    must outlive this; may be nullptr.
  TrialRunner(const CellContext& context, std::size_t cell, const std::vector<RunMetric>& metrics,
              DatasetChange change = {}, KeptTrials* kept = nullptr,
              const EstimatorSource& estimators = MakeEstimators);

  /// The records of one trial, one JSON line per estimator in the scenario's order.
  std::string Run(std::int64_t trial);

  /// Estimates that failed so far.
  std::int64_t failures() const { return failures_; }

 private:
  class Keeper;

  Json Record(const std::string& label, const EstimatorRun& run, const TrialData& data);
  /// The records of a trial without data.
  std::string Fail(std::int64_t trial, const std::string& why);

  const CellContext& context_;
  std::size_t cell_;
  LabelledEstimators methods_;
  MetricEvaluator metrics_;
  DatasetChange change_;
  KeptTrials* kept_;
  std::int64_t failures_ = 0;
};

}  // namespace idbench
