#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/cell_context.h"
#include "bench/labelled_estimators.h"
#include "bench/metrics.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// What estimators are given instead of a trial's datasets; metrics keep to these.
using DatasetChange =
    std::function<std::vector<Dataset>(const std::vector<Dataset>& datasets, std::int64_t trial)>;

/// Runs trials of one cell on one thread and writes their records.
class TrialRunner {
 public:
  /// @param metrics  full names. Both must outlive this.
  /// @param change  what a self-test does to the data; may be empty.
  TrialRunner(const CellContext& context, std::size_t cell, const std::vector<RunMetric>& metrics,
              DatasetChange change = {});

  /// The records of one trial, one JSON line per estimator in the scenario's order.
  std::string Run(std::int64_t trial);

  /// Estimates that failed so far.
  std::int64_t failures() const { return failures_; }

 private:
  /// @param estimates  at the checkpoints, then the final one.
  /// @param track      nullptr if no metric asks for it, or the method is not an online one.
  Json Record(std::int64_t trial, const std::string& label, const std::vector<Estimate>& estimates,
              const TrialData& data, const EstimateTrack* track);

  const CellContext& context_;
  std::size_t cell_;
  LabelledEstimators methods_;
  MetricEvaluator metrics_;
  DatasetChange change_;
  std::int64_t failures_ = 0;
};

}  // namespace idbench
