#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reports/run/run_manifest.h"
#include "reports/run/run_record.h"

namespace idbench {

/// Why a metric has no value, and in how many trials. Reasons that differ behind their first
/// semicolon, where numbers of the single trial stand, are one; of more than a dozen the first.
struct FailureReason {
  std::string text;  ///< In full where all have the same, else up to the semicolon.
  std::size_t trials = 0;
};
using FailureReasons = std::vector<FailureReason>;

/// One metric of one cell for one estimator, trial by trial. Failures are NaN.
struct MetricSamples {
  /// False if no successful estimate has the metric, or all say that it cannot be had: it has no
  /// meaning for this estimator.
  bool applies = true;
  bool has_overall = true;                      ///< There is a value over all components.
  std::vector<std::uint32_t> rollouts;          ///< Number of each trial's unit, see RunRecord.
  std::vector<double> overall;                  ///< Empty unless has_overall.
  std::vector<std::vector<double>> components;  ///< One entry per label of the manifest.
  std::vector<double> counts;                   ///< `count` of each trial; NaN where it has none.
  std::optional<std::pair<std::size_t, std::size_t>> count_range;  ///< Least and largest of them.
  std::size_t failed = 0;     ///< Trials with a successful estimate that have no value of it.
  std::string first_failure;  ///< The first reason among these.
  FailureReasons reasons;     ///< Of these; if it does not apply, of all successful estimates.
};

/// Metrics of a run's records, transposed: each record holds all metrics of one trial, statistics
/// need one metric of all trials.
///
/// Stores the numbers in a temporary file, a few dozen records at a time, column by column. Memory
/// does not grow with the number of trials, except for a dozen bytes for each such chunk. Use from
/// one thread at a time.
class MetricStore {
 public:
  /// @throws std::filesystem::filesystem_error if there is no place for a temporary file.
  explicit MetricStore(const RunManifest& manifest);

  /// Adds a record; records must come in the order of their cells.
  void Add(const RunRecord& record);
  /// Ends the input; call after the last record.
  void Finish();

  /// Returns one entry per estimator.
  /// @param metric  its position in the manifest.
  std::vector<MetricSamples> Load(std::size_t cell, std::size_t metric) const;

 private:
  static constexpr std::size_t kChunk = 64;

  struct Chunk {
    std::uint64_t offset;  ///< Position of its first column [doubles].
    std::size_t records;
  };
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  /// Returns the number of columns of a metric: status, value, count, components.
  std::size_t ColumnsOf(std::size_t metric) const { return 3 + components_[metric]; }
  double& At(std::size_t column) { return buffer_[column * kChunk + filled_]; }
  void Flush();
  void Write(const std::vector<double>& numbers);
  std::vector<double> Read(std::uint64_t offset, std::size_t count) const;

  std::vector<MetricSubject> of_metrics_;     ///< What each metric is of.
  std::vector<MetricSubject> of_estimators_;  ///< What each of the manifest's estimators is of.
  std::vector<std::size_t> components_;       ///< Number of components of each metric.
  std::vector<std::size_t> first_;            ///< First column of each metric.
  std::unordered_map<std::string, std::size_t> metric_index_;
  std::size_t estimators_;  ///< With observations and motions.
  std::unique_ptr<std::FILE, CloseFile> file_;
  std::uint64_t written_ = 0;               ///< [doubles]
  std::vector<std::vector<Chunk>> chunks_;  ///< By cell.
  std::size_t cell_ = 0;                    ///< Cell of the records in the buffer.
  std::vector<double> buffer_;
  std::size_t filled_ = 0;
  std::unordered_map<std::string, std::uint32_t> units_;  ///< Those of that cell, see RunRecord.
  /// Reasons of each (cell, metric, estimator).
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, FailureReasons> failures_;
};

}  // namespace idbench
