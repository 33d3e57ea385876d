#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/run_manifest.h"
#include "reports/run_record.h"

namespace idbench {

/// How the estimates of one estimator in one cell ended.
struct EstimateTally {
  std::size_t trials = 0;
  std::size_t failed = 0;
  std::map<std::string, std::size_t> reasons;    ///< Failures by outcome.
  std::map<std::string, std::string> sentences;  ///< For each outcome, the first reason given.
};

/// What is known of a cell without loading a metric.
struct CellTally {
  std::size_t rollouts = 0;               ///< Distinct ones.
  std::vector<EstimateTally> estimators;  ///< As the manifest orders them.
};

/// One metric of one cell for one estimator, trial by trial. What failed is NaN.
struct MetricSamples {
  /// False if no successful estimate has the metric: it has no meaning for this estimator.
  bool applies = true;
  bool has_overall = true;                      ///< There is a value over all components.
  std::vector<std::uint32_t> rollouts;          ///< Number of each trial's roll-out, from 0.
  std::vector<double> overall;                  ///< Empty unless has_overall.
  std::vector<std::vector<double>> components;  ///< For each label of the manifest.
  std::optional<std::pair<std::size_t, std::size_t>> count_range;  ///< Least and largest `count`.
  std::size_t failed = 0;     ///< Trials whose estimate is fine and whose metric failed.
  std::string first_failure;  ///< The first reason of these.
};

/// Durations of one estimator in one cell.
struct TimingSamples {
  std::vector<double> estimate_ms;  ///< Whole estimates.
  std::vector<double> update_us;    ///< Single updates of an online estimator.
};

/// A finished (or stopped) run on disk.
///
/// `records.jsonl` is checked and indexed once, line by line; later, one metric of one cell is
/// loaded at a time. What is kept does not grow with the number of trials.
class RunFolder {
 public:
  /// @throws ConfigError if a file is missing or damaged: line and what; also if records are not in
  ///         the order of cell, trial, estimator, or the last line breaks off.
  explicit RunFolder(std::filesystem::path directory);

  const std::filesystem::path& directory() const { return directory_; }
  const RunManifest& manifest() const { return manifest_; }
  const CellTally& tally(std::size_t cell) const { return tallies_.at(cell); }

  /// Calls `visit` for each record of a cell, in order.
  void ForEachRecord(std::size_t cell, const std::function<void(const RunRecord&)>& visit) const;

  /// One entry per estimator. @throws std::invalid_argument for a metric not in the manifest.
  std::vector<MetricSamples> Load(std::size_t cell, const std::string& metric) const;

  /// By (cell, estimator); nothing for those that were not timed. `timings.jsonl` may be absent.
  std::map<std::pair<std::size_t, std::size_t>, TimingSamples> LoadTimings() const;

 private:
  struct Place {
    std::uint64_t offset = 0;  ///< First byte of the cell's records.
    std::size_t line = 0;      ///< Number of its first line, from 1.
    std::size_t n_lines = 0;
  };

  void IndexRecords();

  std::filesystem::path directory_;
  RunManifest manifest_;
  std::vector<Place> places_;  ///< One per cell.
  std::vector<CellTally> tallies_;
};

}  // namespace idbench
