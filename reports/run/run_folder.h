#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/run/metric_store.h"
#include "reports/run/run_manifest.h"
#include "reports/run/run_record.h"
#include "reports/statistics/statistics.h"

namespace idbench {

/// A note that estimates have in common, up to its first semicolon.
struct NoteTally {
  std::size_t estimates = 0;
  std::string rest;  ///< What the first of them has behind the semicolon, "" if nothing.
  /// Of kPriorNote: how many of the estimates name each unknown there.
  std::map<std::string, std::size_t> named = {};
};

/// How the estimates of one estimator in one cell ended.
struct EstimateTally {
  std::size_t trials = 0;
  std::size_t failed = 0;
  /// Interval of the failure probability, see FailureRateInterval(); nothing without a trial.
  std::optional<ConfidenceInterval> ci95_failure_rate;
  std::map<std::string, std::size_t> reasons;    ///< Failures by outcome.
  std::map<std::string, std::string> sentences;  ///< First reason given for each outcome.
  /// Notes of estimates, by what they are about and their text up to the first semicolon; of each
  /// subject no more than kMostNotes texts, later ones count as "…".
  std::map<std::pair<std::string, std::string>, NoteTally> notes;
  static constexpr std::size_t kMostNotes = 12;

  /// Returns the outcome of most failures and its first reason, "refused: …"; "" without failures.
  std::string WhyFailed() const;
};

/// What is known of a cell without loading a metric.
struct CellTally {
  std::size_t rollouts = 0;               ///< Number of distinct roll-outs.
  std::size_t motions = 0;                ///< Of distinct motions: 1 if all roll-outs share one.
  std::size_t rollout_set = 0;            ///< Hash of their identities: cells may share them.
  std::size_t motion_set = 0;             ///< Likewise, of the motions.
  std::vector<EstimateTally> estimators;  ///< In the manifest's order.
};

/// Updates that took longer than the time between two samples.
struct DeadlineMisses {
  double rate_hz = 0;
  std::size_t updates = 0;
  std::size_t misses = 0;
};

/// Durations and allocations of one estimator in one cell.
struct TimingSamples {
  std::vector<double> estimate_ms;             ///< Whole estimates.
  std::vector<double> estimate_cpu_ms;         ///< CPU time of the same estimates.
  std::vector<double> update_us;               ///< Single updates of an online estimator.
  std::vector<double> update_median_us;        ///< Median update of each timed trial.
  std::optional<double> estimate_allocations;  ///< Maximum over estimates.
  std::optional<double> update_allocations;    ///< Maximum over trials of the mean per update.
  std::optional<DeadlineMisses> deadline;
};

/// Finished (or stopped) run on disk.
///
/// Reads `records.jsonl` once, line by line; loads later one metric of one cell at a time. Memory
/// does not grow with the number of trials (see MetricStore).
class RunFolder {
 public:
  /// @throws ConfigError, with line and reason, if a file is missing or damaged, records are not in
  ///         the order of cell, trial, estimator, or the last line breaks off.
  explicit RunFolder(std::filesystem::path directory);

  const std::filesystem::path& directory() const { return directory_; }
  const RunManifest& manifest() const { return manifest_; }
  const CellTally& tally(std::size_t cell) const { return tallies_.at(cell); }

  /// Returns one entry per estimator.
  /// @throws std::invalid_argument for a metric that is not in the manifest.
  std::vector<MetricSamples> Load(std::size_t cell, const std::string& metric) const;

  /// Returns the timings by (cell, estimator), without those that were not timed. `timings.jsonl`
  /// may be absent.
  std::map<std::pair<std::size_t, std::size_t>, TimingSamples> LoadTimings() const;

 private:
  void ReadRecords();

  std::filesystem::path directory_;
  RunManifest manifest_;
  MetricStore metrics_;
  std::vector<CellTally> tallies_;
};

}  // namespace idbench
